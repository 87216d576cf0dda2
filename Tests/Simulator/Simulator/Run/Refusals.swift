import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// The decisions of users about changes that were refused, or that are sent again later.
extension Schedule {
  /// Makes a refused change again, or discards it.
  func decide(_ device: SimulatedDevice) throws {
    guard let letter = pick(try refusedChanges(on: device), of: \.row.table) else { return }
    if random.chance(50) { try retry(letter, on: device) } else { try discard(letter, on: device) }
  }

  /// Draws a change: that of a letter as often as those of all other tables together, of which each has
  /// the same chance.
  private func pick<Change>(_ changes: [Change], of table: (Change) -> String) -> Change? {
    let tables = Set(changes.map(table))
    let others = tables.subtracting([Letter.name]).sorted()
    guard !tables.isEmpty else { return nil }
    let isLetter = others.isEmpty || tables.contains(Letter.name) && random.chance(50)
    let drawn = isLetter ? Letter.name : random.pick(others)
    return random.pick(changes.filter { table($0) == drawn })
  }

  /// Returns the refused changes of rows in scopes that the account may read. Those of letters are only
  /// included if the device shows the letter.
  ///
  /// NB: Ties are left out, because a part of a group could be inserted or deleted.
  private func refusedChanges(on device: SimulatedDevice) throws -> [DeadLetter] {
    let (hidden, shown) = (try device.hiddenRows(), Set(try device.texts("SELECT id FROM letters")))
    return try device.connection.read { reader in
      try device.replica.deadLetters(reader).filter { letter in
        guard let scope = letter.scope, letter.op != nil, letter.row.table != "ties",
          device.version.table(letter.row.table) != nil,
          !["lostByRestore", "collision"].contains(letter.rejection.code.rawValue),
          letter.row.table != Letter.name || shown.contains(letter.row.id),
          !hidden.contains(letter.row), !self.server.history.hasEnded(letter.row)
        else { return false }
        return try device.replica.role(in: scope, reader)?.canRead == true
      }
    }
  }

  private func retry(_ letter: DeadLetter, on device: SimulatedDevice) throws {
    guard let op = letter.op, !isKnown(op) else { return }
    let before = try device.counters()
    let ended = try rows(endingWith: op, on: device)
    guard try makeAgain(letter, on: device) else { return }
    count(letter.row.table == Letter.name ? "outcome.retried" : "outcome.retriedOther")
    trace.add("  \(device.name) makes a refused change of \(letter.row) again")
    forgetKept(Set(op.texts))
    try checkDecided(letter, on: device)
    try DeviceChecks(device, in: self).checkRetried(op, before)
    device.ledger.noteGone(Dictionary(uniqueKeysWithValues: ended.map { ($0, 0) }))
    device.ledger.stopCounting(ended)
    try device.noteRetried(op)
  }

  /// Whether the server has or had a text of an edit, and its data was restored since. Made again, the
  /// text would have a later version than texts that have replaced it and were lost.
  private func isKnown(_ op: Op) -> Bool {
    server.history.epochs > 0 && op.texts.contains { server.history.versionsOfTexts[$0] != nil }
  }

  /// Returns the rows that a device shows and that a deletion ends.
  private func rows(endingWith op: Op, on device: SimulatedDevice) throws -> [RowID] {
    guard op.kind == .delete else { return [] }
    return try device.rows().filter { row, values in
      row == op.row || op.row.table == "boards" && values["boardID"] == WireValue(op.row.id)
    }.keys.sorted()
  }

  /// - Returns: whether the change was made.
  private func makeAgain(_ letter: DeadLetter, on device: SimulatedDevice) throws -> Bool {
    if let faulty = FaultyDevice(device, breach), try faulty.loseRetry(of: letter) { return true }
    do {
      return try device.connection.write { try device.replica.retry(letter.id, $0) }
    } catch let error as ReplicaError where error.code == .forbidden {
      count("outcome.forbidden")
    } catch let error as DatabaseError
      where error.code == .constraint || error.code == .danglingReference
    {
      trace.add("  \(device.name) cannot make \(letter.row) again: \(error.code)")
    }
    return false
  }

  private func discard(_ letter: DeadLetter, on device: SimulatedDevice) throws {
    var texts = try device.texts(of: letter.row)
    texts.formUnion(letter.op?.texts ?? [])
    guard try device.connection.write({ try device.replica.discard(letter.id, $0) }) else { return }
    count(letter.row.table == Letter.name ? "outcome.discarded" : "outcome.discardedOther")
    trace.add("  \(device.name) discards a refused change of \(letter.row)")
    forgetKept(texts)
    try checkDecided(letter, on: device)
    try device.noteCancelled(texts, of: letter.row)
  }

  /// Checks that a refused change is not listed any more, and leaves its row out of the ledger.
  private func checkDecided(_ letter: DeadLetter, on device: SimulatedDevice) throws {
    let rest = try device.connection.read { try device.replica.deadLetters($0).map(\.id) }
    guard !rest.contains(letter.id) else {
      throw Violation(.keptRefusals, "\(device.name) still lists the change of \(letter.row).")
    }
    try noteDecision(about: letter.row, on: device)
  }

  private func noteDecision(about row: RowID, on device: SimulatedDevice) throws {
    device.ledger.forget(row)
    device.ledger.stopCounting([row])
    // The device may not show the row, because its account has no role in the board at present.
    device.ledger.forgetDeletions(of: [row])
    try device.noteUndone()
    try DeviceChecks(device, in: self).checkVisible()
  }

  /// Removes expectations about texts that a restore has lost, because the user has discarded them, or the
  /// access of the device that stored them has ended.
  func forgetKept(_ texts: Set<[UInt8]>) {
    keptTexts = keptTexts.filter { !texts.contains($0.text) }
  }

  /// Cancels the sealed change of a row that no server has, or sends it again at once.
  func recall(_ device: SimulatedDevice) throws {
    guard let change = pick(try sealedChanges(on: device), of: \.row.table) else { return }
    let row = change.row
    if random.chance(30) {
      try device.connection.write { try device.replica.sendAgain([row], $0) }
      return trace.add("  \(device.name) sends \(row) again at once")
    }
    let texts = try device.texts(of: row)
    let isDone = try device.connection.write { writer in
      try device.replica.takeBack(
        [row], isDeletion: change.kind == .deleted, writer, at: device.clock(at: self.now),
        makeID: { self.random.uuid() })
    }
    guard isDone else { return }
    count(row.table == Letter.name ? "outcome.recalled" : "outcome.recalledOther")
    trace.add("  \(device.name) cancels the sealed changes of \(row)")
    forgetKept(texts)
    try noteDecision(about: row, on: device)
    try device.noteCancelled(texts, of: row)
  }

  /// Returns the sealed changes of rows that a user can cancel one by one.
  ///
  /// NB: Ties are changed in groups, and a board is deleted together with its rows.
  private func sealedChanges(on device: SimulatedDevice) throws -> [OutboxChange] {
    let hidden = try device.hiddenRows()
    return try device.connection.read { try device.replica.outbox.changes($0) }.filter { change in
      change.isSealed && change.row.table != "ties" && !hidden.contains(change.row)
        && device.version.table(change.row.table) != nil
        && (change.row.table != "boards" || change.kind != .deleted)
    }
  }
}

extension DeviceChecks {
  /// Checks that a device shows a refused change that the user has made again, but for values that later
  /// changes of the same user have replaced.
  ///
  /// NB: The insertion of a letter that has stayed in its place is made again with the present values.
  /// - Parameter before: the counters that the device showed before.
  func checkRetried(_ op: Op, _ before: [Ledger.Counter: Int64]) throws {
    let shown = try device.rows()[op.row]
    let isShown: Bool
    switch op.kind {
    case .delete: isShown = shown == nil
    case .increment:
      guard let column = op.row.counterColumn else { return }
      let counter = Ledger.Counter(row: op.row, column: column)
      isShown = try device.counters()[counter] == before[counter].map { $0 &+ op.count }
    case .put where op.row.table == Letter.name: isShown = shown != nil
    case .put, .patch, .move:
      isShown = op.fields.allSatisfy { field, value in
        guard case .text(let text) = value, text.first == Text.mark,
          device.version.hasColumn(field, of: op.row.table)
        else { return true }
        if shown?[field] == value || device.ledger.isReplaced(text, in: field, of: op.row) {
          return true
        }
        guard case .text(let other)? = shown?[field] else { return false }
        return Text.isLater(other, than: text)
      }
    }
    guard isShown else {
      throw Violation(
        .keptRefusals, "\(device.name) does not show the change of \(op.row), made again.")
    }
  }
}

/// The texts that users have cancelled or discarded, which devices never send again.
extension SimulatedDevice {
  /// Records the texts of an edit that the user has made again, as far as the device shows them.
  func noteRetried(_ op: Op) throws {
    cancelled.subtract(op.texts)
    let shown = try rows()[op.row] ?? [:]
    for (column, value) in op.fields.sorted(by: { $0.key < $1.key }) {
      guard case .text(let text) = value, text.first == Text.mark, shown[column] == value else {
        continue
      }
      ledger.note(Ledger.Write(row: op.row, column: column, text: text))
    }
  }

  /// Returns the texts of a row that the device shows or has in pending changes.
  func texts(of row: RowID) throws -> Set<[UInt8]> {
    let shown = try rows()[row] ?? [:]
    let batches = try connection.read { try replica.outbox.sealedBatches($0) }
    let pending = batches.flatMap(\.ops).filter { $0.row == row }.flatMap(\.texts)
    return Set(shown.values.compactMap { if case .text(let text) = $0 { text } else { nil } })
      .union(pending)
  }

  /// Records the texts among those of a row that the device does not have any more, after the user has
  /// cancelled or discarded changes. If other captured changes of the row remain, it records none.
  func noteCancelled(_ texts: Set<[UInt8]>, of row: RowID) throws {
    guard try number("SELECT count(*) FROM _outbox WHERE id = \(row.id)") == 0,
      try !hiddenRows().contains(row)
    else { return }
    var left = try self.texts(of: row)
    left.formUnion(try deadOps().flatMap(\.texts))
    left.formUnion(try connection.read { try pendingTexts($0) }.keys)
    cancelled.formUnion(texts.filter { $0.first == Text.mark && !left.contains($0) })
  }

  /// Whether a batch is postponed, because the server has refused it and may accept it later.
  var hasPostponed: Bool {
    get throws { try number("SELECT count(*) FROM _batch WHERE phase > 1") > 0 }
  }
}
