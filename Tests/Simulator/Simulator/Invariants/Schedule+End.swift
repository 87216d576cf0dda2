import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// Checks after faults have stopped and all changes have been exchanged.
extension Schedule {
  /// The most rounds of exchange until no change may remain.
  private static let roundLimit = 40

  /// Delivers all messages, then lets all devices sync until nothing changes.
  func settle() throws {
    network.cutOff = []
    for _ in 0..<1_000 where !network.waiting.isEmpty { try deliver() }
    network.forgetAll()
    for round in 1...Self.roundLimit {
      trace.add("round \(round)")
      let before = heads
      var isQuiet = true
      for device in devices {
        let hasSent = try talk(device)
        isQuiet = isQuiet && !hasSent
      }
      if isQuiet, heads == before { return }
    }
    throw Violation(.settles, "Something changes in each of \(Self.roundLimit) rounds.")
  }

  private var heads: [Int64] {
    let people = devices.compactMap { try? $0.personalScope }
    return (boards + people).map { server.log.scope($0).head }
  }

  /// Sends all changes of a device, and pulls all changes that it lacks.
  /// - Returns: Whether there was a change to send.
  private func talk(_ device: SimulatedDevice) throws -> Bool {
    var hasSent = false
    for _ in 0..<Self.roundLimit {
      guard try push(device) else { break }
      hasSent = true
      if network.isStalled(device.place) { break }
    }
    try fetch(device)
    return hasSent || device.lastReport?.needsPush == true
  }

  /// Runs all checks of the end state.
  func checkTheEnd() throws {
    if let violation = server.compareWithModel().first { throw violation }
    for scope in boards { try checkServerDigest(scope) }
    for device in devices {
      try breach?.atLast(device)
      try checkVisible(device)
      try checkDrained(device)
      try checkWrites(of: device)
      try checkDeletions(of: device)
    }
    try checkCounts()
    for device in devices {
      try checkConvergence(of: device)
      try checkDigests(device)
    }
    for scope in boards {
      for row in server.log.rows(in: scope, after: 0, limit: .max) {
        counters.add("outcome.conflict", server.log.conflicts(of: row.row, in: scope).count)
      }
    }
  }

  private func checkServerDigest(_ scope: ScopeID) throws {
    let rows = server.log.rows(in: scope, after: 0, limit: .max)
    let sum = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    guard sum == server.log.scope(scope).digest else {
      throw Violation(.digest, "The server's digest of \(scope) is not the sum of its rows.")
    }
  }

  // MARK: - Pending changes

  /// Checks that no change is pending, except in scopes that were never granted.
  private func checkDrained(_ device: SimulatedDevice) throws {
    let waiting = try device.connection.read { reader in
      (
        try SQL("SELECT count(*) FROM _outbox").first(reader, as: Int.self) ?? 0,
        try device.replica.outbox.sealedBatches(reader)
      )
    }
    if waiting.0 > 0 {
      throw Violation(.drained, "\(device.name) has \(waiting.0) changes that are not sealed.")
    }
    for batch in waiting.1 {
      // An applied edit still shows in a scope that the account has left and does not pull any
      // more.
      guard let role = server.history.role(of: device.account, in: batch.scope), role != .left
      else { continue }
      throw Violation(.drained, "\(device.name) still has batch \(batch.number) of \(batch.scope).")
    }
  }

  /// Checks that each write was applied or refused, or waits for a first grant.
  private func checkWrites(of device: SimulatedDevice) throws {
    let dead = Set(try device.deadOps().flatMap(\.texts))
    let rows = try device.rowsWithoutOps()
    let waiting = try device.connection.read { try device.pendingTexts($0) }
    for write in device.ledger.owed + device.ledger.sent
    where !server.history.appliedTexts.contains(write.text) {
      // Each text is written once, so the text of a refused change identifies the write.
      guard waiting[write.text] == nil, !dead.contains(write.text), !rows.contains(write.row)
      else { continue }
      throw Violation(.noWriteLost, "\(device.name) wrote \(write.spelled), which is lost.")
    }
  }

  /// Checks that a deleted row does not exist, unless the deletion was refused or waits for a first
  /// grant, or the row's move to that scope does.
  ///
  /// NB: The deletion does not concern a later life of the row, or a life that began after the row
  /// had moved away and back. Edits from a copy of the file may begin the first life again, and
  /// restored data may lack the deletion.
  private func checkDeletions(of device: SimulatedDevice) throws {
    guard countsAreKnown else { return }
    let ops = try device.deadOps() + device.waitingOps()
    let excused = try device.rowsWithoutOps().union(
      ops.filter { $0.kind == .delete }.map(\.row))
    for (row, scope) in device.ledger.deletions where !excused.contains(row) {
      let scope = try ScopeID(scope)
      guard let state = server.log.row(row, in: scope)?.state, state.isLiving,
        state.generation == 1, !server.history.hasEnded(row, in: scope),
        !ops.contains(where: { $0.row == row && $0.kind == .move(to: scope) })
      else { continue }
      throw Violation(.noWriteLost, "\(device.name) deleted \(row), which is still there.")
    }
  }
}

extension SimulatedDevice {
  /// The scope of the account's own rows.
  var personalScope: ScopeID {
    get throws { try ScopeID(kind: "person", value: account.uuid.uuidString) }
  }
}
