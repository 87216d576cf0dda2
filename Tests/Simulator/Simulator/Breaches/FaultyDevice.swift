import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A device that breaks a rule.
struct FaultyDevice {
  private let device: SimulatedDevice
  private let breach: Breach

  /// Returns `nil` without a breach.
  init?(_ device: SimulatedDevice, _ breach: Breach?) {
    guard let breach else { return nil }
    (self.device, self.breach) = (device, breach)
  }

  func beforeWork() throws {
    if breach == .uncaptured { try device.change("UPDATE _state SET applying = 1 WHERE k = 1") }
  }

  func afterWork() throws {
    if breach == .uncaptured { try device.change("UPDATE _state SET applying = 0 WHERE k = 1") }
  }

  func afterCommand() throws {
    if breach == .lateRoles { try device.change("UPDATE _cursor SET wanted = NULL") }
  }

  /// Applies the breach after the user has cancelled changes.
  /// - Parameter writes: the writes that were not sent before.
  func afterCancelled(_ writes: [Ledger.Write]) throws {
    guard breach == .sentCancelled else { return }
    for write in writes
    where device.cancelled.contains(write.text)
      && ["boards", "cards", "notes"].contains(write.row.table)
    {
      try device.change(
        """
        UPDATE \(identifier: write.row.table)
        SET \(identifier: write.column) = \(CellValue(value: .text(write.text)))
        WHERE id = \(write.row.id)
        """)
      device.ledger.note(write)
    }
  }

  /// Deletes a refused change that the user makes again, unless it is an insertion that stays in its
  /// place.
  /// - Returns: whether the breach did that.
  func loseRetry(of letter: DeadLetter) throws -> Bool {
    guard breach == .lostRetries, letter.row.table != Letter.name || letter.op?.kind != .put else {
      return false
    }
    try device.change("DELETE FROM _dead WHERE number = \(letter.id)")
    return true
  }

  /// Applies the breach before a device determines its next push.
  /// - Parameters:
  ///   - now: The time on the device's clock.
  ///   - makeID: Makes an id for a batch.
  func beforePush(at now: Int64, makeID: () -> UUID) throws {
    switch breach {
    case .sealedAgain: try sealAgain()
    case .lostDeletions:
      _ = try device.connection.write {
        try device.replica.outbox.seal($0, at: now, makeID: makeID)
      }
      try leaveOutDeletions()
    case .formerTexts:
      _ = try device.connection.write {
        try device.replica.outbox.seal($0, at: now, makeID: makeID)
      }
      try repeatFormerTexts()
    case .stuckQueue: try answerUnsent()
    case .damagedFile: try device.change("UPDATE _state SET clock = x'00' WHERE k = 1")
    default: break
    }
  }

  /// Applies the breach when all activity has ended.
  func atLast() throws {
    switch breach {
    case .changedAtLast: try device.changeUnseen("UPDATE cards SET weight = 0.125")
    case .oneLetter:
      try device.change(
        "DELETE FROM _dead WHERE number NOT IN (SELECT min(number) FROM _dead GROUP BY tbl, id)")
    case .lostLetters: try device.change("DELETE FROM _dead")
    default: break
    }
  }

  func afterPushed() throws {
    switch breach {
    case .earlyReveal: try reveal()
    case .removedRefusals:
      try device.changeUnseen(
        """
        DELETE FROM letters WHERE id IN (SELECT id FROM _dead)
          AND id NOT IN (SELECT id FROM _row WHERE tbl = 'letters' AND hash <> 0)
        """)
    default: break
    }
  }

  /// Resets rows to their confirmed values, although sealed edits of them are pending.
  private func reveal() throws {
    let waiting = try device.connection.read { reader in
      try SQL("SELECT tbl, id, state FROM _shadow WHERE state IS NOT NULL ORDER BY tbl, id")
        .all(reader, as: String.self, String.self, Data.self)
    }
    for (table, id, state) in waiting {
      let row = RowID(table: table, id: id)
      let confirmed = try RowState(decoding: Array(state))
      for write in device.ledger.own where write.row == row {
        guard case .text(let bytes)? = confirmed.fields[write.column] else { continue }
        try device.changeUnseen(
          """
          UPDATE \(identifier: table)
          SET \(identifier: write.column) = \(CellValue(value: .text(bytes))) WHERE id = \(id)
          """)
      }
    }
  }

  /// Applies the breach before a device takes an answer to a pull.
  func beforePulled() throws {
    if breach == .unsentAfterRestore { try device.change("UPDATE _sent SET number = 0") }
  }

  func afterPulled(_ report: PullReport) throws {
    if breach == .unlistedAfterRestore { try removeLost(ofUser: false) }
    if breach == .removedOwnLost, report.hasEndedScopes {
      try removeLost(ofUser: true, where: "scope IN (SELECT scope FROM _cursor WHERE role = 4)")
    }
    guard report.isComplete else {
      if breach == .forgottenPortion { try forgetPortion() }
      return
    }
    switch breach {
    case .cursorSetBack:
      for (scope, cursor) in device.cursors where cursor.seq > 0 {
        try device.change("UPDATE _cursor SET seq = 0 WHERE scope = \(scope)")
      }
    case .keptRevoked:
      try device.changeUnseen(
        """
        INSERT OR IGNORE INTO boards
        SELECT substr(scope, 7), 'kept', 0, 'draft' FROM _cursor WHERE role = 4
        """)
    case .formerDefaults where device.version.number == 3:
      try device.changeUnseen("UPDATE pins SET depth = 3 WHERE depth = 5")
    case .underivedColumns where device.version.number == 3:
      try device.changeUnseen("UPDATE signs SET minutes = 0 WHERE minutes <> 0")
    case .changedBehind: try device.changeUnseen("UPDATE cards SET weight = 0.125")
    default: break
    }
  }

  /// Removes cards of the boards whose rows are shown as they arrive, without a trace.
  private func forgetPortion() throws {
    try device.changeUnseen(
      """
      DELETE FROM cards WHERE substr(id, 1, 1) <> \(Card.tokenPrefix)
        AND 'board/' || boardID IN (SELECT scope FROM _arrival)
      """)
    try device.change(
      """
      DELETE FROM _row WHERE tbl = 'cards' AND substr(id, 1, 1) <> \(Card.tokenPrefix)
        AND scope IN (SELECT scope FROM _arrival)
      """)
  }

  /// Removes the refused changes that a restore has lost: the user's own, or all others.
  private func removeLost(ofUser isOwn: Bool, where condition: SQL = "TRUE") throws {
    let own = Set((device.ledger.sent + device.ledger.owed).map(\.text))
    let lost = try device.connection.read { reader in
      try SQL("SELECT number, op FROM _dead WHERE code = 'lostByRestore' AND \(condition)")
        .all(reader, as: Int64.self, Data.self)
    }
    for (number, op) in lost
    where own.isDisjoint(with: try Op(decoding: Array(op)).texts) != isOwn {
      try device.change("DELETE FROM _dead WHERE number = \(number)")
    }
  }

  /// Removes deletions from batches that were not sent, if other edits remain in the batch.
  private func leaveOutDeletions() throws {
    for (key, batch) in try waitingBatches() where !device.isSent(batch) {
      let ops = batch.ops.filter { $0.kind != .delete }
      guard !ops.isEmpty, ops.count < batch.ops.count else { continue }
      try replace(batch, key, ops)
    }
  }

  /// Adds an op to the batches that were sent and not answered.
  private func sealAgain() throws {
    for (key, batch) in try waitingBatches() where device.isSent(batch) {
      guard let last = batch.ops.last else { continue }
      try replace(batch, key, batch.ops + [last])
    }
  }

  /// Adds edits to the batches that were not sent. Each writes the text again that an edit of the batch
  /// replaces.
  private func repeatFormerTexts() throws {
    for (key, batch) in try waitingBatches() where !device.isSent(batch) {
      // The batch may have been asked for before.
      let ops = batch.ops.compactMap(former).filter { !batch.ops.contains($0) }
      if !ops.isEmpty { try replace(batch, key, batch.ops + ops) }
    }
  }

  /// Returns a later edit that writes the text again which an edit replaces.
  private func former(of op: Op) -> Op? {
    guard op.kind == .patch, ["boards", "cards", "notes"].contains(op.row.table) else { return nil }
    for column in op.fields.keys.sorted() {
      guard case .text(let text)? = op.fields[column],
        let former = device.ledger.former(op.row, column, before: text),
        !device.cancelled.contains(former)
      else { continue }
      // NB: So much later that no edit of the user has the same stamp.
      let stamp = Stamp(
        milliseconds: op.stamp.milliseconds, counter: op.stamp.counter &+ 1_000,
        device: op.stamp.device)
      return Op(
        .patch, op.row, generation: op.generation, fields: [column: .text(former)], stamp: stamp)
    }
    return nil
  }

  /// Marks batches that were never sent as answered. The server knows nothing of them, and other
  /// invariants watch counters, so nothing but the queue shows the breach.
  private func answerUnsent() throws {
    for (key, batch) in try waitingBatches()
    where !device.isSent(batch) && !batch.ops.contains(where: \.row.hasCounter) {
      // NB: Under another device's name. A gap after a batch of its own makes the device send it again.
      try device.change(
        """
        UPDATE _batch SET phase = 1, last = 1000000, device = zeroblob(16) WHERE k = \(key)
        """)
    }
  }

  private func waitingBatches() throws -> [(key: Int64, batch: Batch)] {
    try device.connection.read { reader in
      try SQL("SELECT k, content FROM _batch WHERE phase = 0")
        .all(reader, as: Int64.self, Data.self)
        .map { (key: $0, batch: try Batch(decoding: Array($1))) }
    }
  }

  private func replace(
    _ batch: Batch, _ key: Int64, _ ops: [Op]
  ) throws {
    let other = Batch(batch.scope, number: batch.number, id: batch.id, ops: ops)
    let bytes = Data(other.encoded())
    try device.change("UPDATE _batch SET content = \(bytes) WHERE k = \(key)")
  }
}

extension SimulatedDevice {
  /// Whether a batch was sent with its present content.
  fileprivate func isSent(_ batch: Batch) -> Bool { sealed.values.contains(batch.hash) }

  /// Runs a statement on the file.
  func change(_ sql: SQL) throws {
    try connection.write { try sql.run($0) }
  }

  /// Runs a statement whose changes are not captured.
  func changeUnseen(_ sql: SQL) throws {
    try connection.write { writer in
      try SQL("UPDATE _state SET applying = 1 WHERE k = 1").run(writer)
      try sql.run(writer)
      try SQL("UPDATE _state SET applying = 0 WHERE k = 1").run(writer)
    }
  }
}
