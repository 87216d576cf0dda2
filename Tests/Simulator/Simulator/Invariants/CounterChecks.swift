import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// The checks that each addition to a counter counts once.
///
/// They are skipped after a file copy, since edits may then be repeated, and for rows that were
/// deleted or moved, since their additions are lost. After a restore, only the sums in the end are
/// checked.
struct CounterChecks {
  let schedule: Schedule

  private func isCounted(_ row: RowID) -> Bool { !schedule.server.history.hasEnded(row) }

  // MARK: - In the end

  /// Checks that each counter is the sum of all additions, without cancelled, refused and pending
  /// ones.
  func checkCounts() throws {
    guard schedule.sumsAreKnown else { return }
    let uncounted = try schedule.devices.reduce(into: Set<RowID>()) {
      $0.formUnion($1.ledger.uncounted)
      $0.formUnion(try $1.rowsWithoutOps())
    }
    var sums: [Ledger.Counter: Int64] = [:]
    for device in schedule.devices {
      sums.merge(device.ledger.counts, uniquingKeysWith: +)
      for op in try device.deadOps() + device.waitingOps() {
        guard let column = op.row.counterColumn else { continue }
        sums[Ledger.Counter(row: op.row, column: column), default: 0] -= op.count
      }
    }
    for scope in schedule.scopes {
      for row in schedule.server.log.rows(in: scope, after: 0, limit: .max)
      where row.state.isLiving && isCounted(row.row) && !uncounted.contains(row.row) {
        try check(row, sums)
      }
    }
  }

  private func check(_ row: SyncedRow, _ sums: [Ledger.Counter: Int64]) throws {
    guard let column = row.row.counterColumn,
      case .integer(let count)? = row.state.fields[column]
    else { return }
    let sum = sums[Ledger.Counter(row: row.row, column: column)] ?? 0
    guard count == sum else {
      throw Violation(
        .counters,
        "\(row.row).\(column) is \(count) on the server, but \(sum) was counted.")
    }
  }

  // MARK: - During the run

  /// Checks that a counter shows the server's count at the device's cursor plus the device's later
  /// additions. Skips rows with pending edits in other scopes.
  ///
  /// NB: Sent edits are recorded here too, because an edit that the device removes too early is as
  /// wrong as one that it adds twice.
  func checkCounters(_ device: SimulatedDevice) throws {
    guard schedule.countsAreKnown else { return }
    let reached = try reachedNumbers(of: device)
    try forgetDone(device, reached)
    let pending = try pendingOps(of: device)
    let scopes = try device.scopesOfWaiting()
    let silent = try device.hiddenRows().union(device.ledger.uncounted)
    let unsealed = Set(try device.texts("SELECT id FROM _outbox"))
    for (counter, shown) in try device.shownCounters() {
      let ops = pending[counter.row] ?? []
      guard let seq = reached[shown.scope], isCounted(counter.row), !silent.contains(counter.row),
        !unsealed.contains(counter.row.id), ops.allSatisfy(\.isOfFirstLife),
        scopes[counter.row]?.subtracting([shown.scope]).isEmpty != false,
        let confirmed = schedule.server.history.count(
          counter, in: try ScopeID(shown.scope), at: seq)
          ?? (ops.contains { $0.kind == .put } ? 0 : nil)
      else { continue }
      let sum = ops.reduce(confirmed) { $0 + $1.count }
      guard shown.count == sum else {
        throw Violation(
          .counters,
          "\(device.name) shows \(shown.count) as \(counter.row).\(counter.column), "
            + "but \(confirmed) is confirmed and \(sum - confirmed) was added since.")
      }
    }
  }

  /// Returns the number up to which a device has all changes of each readable scope.
  private func reachedNumbers(of device: SimulatedDevice) throws -> [String: Int64] {
    let epoch = Int64(bitPattern: schedule.server.log.epoch())
    let cursors = try device.connection.read {
      try SQL(
        """
        SELECT scope, seq FROM _cursor
        WHERE role IN (1, 2, 3) AND fetch IS NULL AND epoch = \(epoch)
        """
      ).all($0, as: String.self, Int64.self)
    }
    return Dictionary(cursors, uniquingKeysWith: { first, _ in first })
  }

  /// Removes sent edits whose effect the device has pulled, and refused edits.
  private func forgetDone(_ device: SimulatedDevice, _ reached: [String: Int64]) throws {
    guard !device.sentOps.isEmpty else { return }
    for op in try device.deadOps() { device.sentOps[OpKey(op)] = nil }
    device.sentOps = device.sentOps.filter { key, sent in
      guard let seq = reached[sent.scope.text] else { return true }
      return !schedule.server.history.isApplied(key, by: seq)
    }
  }

  /// Returns the edits that a device has sealed or sent and whose effect it has not pulled.
  private func pendingOps(of device: SimulatedDevice) throws -> [RowID: [Op]] {
    var ops = device.sentOps.mapValues(\.op)
    for op in try device.waitingOps() where op.row.hasCounter && !isDone(op, device) {
      ops[OpKey(op)] = op
    }
    return Dictionary(grouping: ops.values, by: \.row)
  }

  /// Whether a waiting edit was sent before and the device has its effect.
  private func isDone(_ op: Op, _ device: SimulatedDevice) -> Bool {
    device.sentOps[OpKey(op)] == nil && schedule.server.history.isApplied(OpKey(op), by: .max)
  }
}
