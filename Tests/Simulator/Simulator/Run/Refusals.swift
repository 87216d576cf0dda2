import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// The decisions of users about letters that were refused, or that are sent again later.
extension Schedule {
  /// Makes a refused change of a letter again, or discards it.
  func decide(_ device: SimulatedDevice) throws {
    let refused = try refusedLetters(on: device)
    guard !refused.isEmpty else { return }
    let letter = random.pick(refused)
    if random.chance(50) { try retry(letter, on: device) } else { try discard(letter, on: device) }
  }

  /// Returns the refused changes of letters that the device shows in boards that the account may read.
  private func refusedLetters(on device: SimulatedDevice) throws -> [DeadLetter] {
    let (hidden, shown) = (try device.hiddenRows(), Set(try device.texts("SELECT id FROM letters")))
    return try device.connection.read { reader in
      try device.replica.deadLetters(reader).filter { letter in
        guard letter.row.table == Letter.name, letter.op != nil, let scope = letter.scope,
          !["lostByRestore", "collision"].contains(letter.rejection.code.rawValue),
          shown.contains(letter.row.id), !hidden.contains(letter.row),
          !self.server.history.hasEnded(letter.row)
        else { return false }
        return try device.replica.role(in: scope, reader)?.canRead == true
      }
    }
  }

  private func retry(_ letter: DeadLetter, on device: SimulatedDevice) throws {
    let isDone: Bool
    do {
      isDone = try device.connection.write { try device.replica.retry(letter.id, $0) }
    } catch let error as ReplicaError where error.code == .forbidden {
      return count("outcome.forbidden")
    } catch let error as DatabaseError
      where error.code == .constraint || error.code == .danglingReference
    {
      return trace.add("  \(device.name) cannot make \(letter.row) again: \(error.code)")
    }
    guard isDone else { return }
    count("outcome.retried")
    trace.add("  \(device.name) makes a refused change of \(letter.row) again")
    try checkDecided(letter, on: device)
  }

  private func discard(_ letter: DeadLetter, on device: SimulatedDevice) throws {
    var texts = try device.texts(of: letter.row)
    texts.formUnion(letter.op?.texts ?? [])
    guard try device.connection.write({ try device.replica.discard(letter.id, $0) }) else { return }
    count("outcome.discarded")
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
    // The device may not show the row, because its account has no role in the board at present.
    device.ledger.forgetDeletions(of: [row] + (try device.rows().keys))
    try device.noteUndone()
    try DeviceChecks(device, in: self).checkVisible()
  }

  /// Removes expectations about texts that a restore has lost, because the user has discarded them.
  private func forgetKept(_ texts: Set<[UInt8]>) {
    keptTexts = keptTexts.filter { !texts.contains($0.text) }
  }

  /// Cancels the sealed changes of a letter that no server has, or sends them again at once.
  func recall(_ device: SimulatedDevice) throws {
    let batches = try device.connection.read { try device.replica.outbox.sealedBatches($0) }
    let rows = Set(batches.flatMap { $0.ops.map(\.row) }.filter { $0.table == Letter.name })
    guard !rows.isEmpty else { return }
    let row = random.pick(rows.sorted())
    if random.chance(30) {
      try device.connection.write { try device.replica.sendAgain([row], $0) }
      return trace.add("  \(device.name) sends \(row) again at once")
    }
    let texts = try device.texts(of: row)
    let isDone = try device.connection.write { writer in
      try device.replica.takeBack(
        [row], isDeletion: false, writer, at: device.clock(at: self.now),
        makeID: { self.random.uuid() })
    }
    guard isDone else { return }
    count("outcome.recalled")
    trace.add("  \(device.name) cancels the sealed changes of \(row)")
    forgetKept(texts)
    try noteDecision(about: row, on: device)
    try device.noteCancelled(texts, of: row)
  }
}

/// The texts that users have cancelled or discarded, which devices never send again.
extension SimulatedDevice {
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
