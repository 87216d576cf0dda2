import OffshoreWire

@testable import OffshoreServer

/// The checks after each push and at the end.
extension ServerRun {
  /// Checks that the ranges of applied batches are contiguous from the old head to the new one. No
  /// row arrives from another scope, since the push has one scope only.
  mutating func checkRanges(of results: [BatchResult], before heads: [Int64]) {
    guard let scope = results.first?.scope, let index = scopes.firstIndex(of: scope) else { return }
    var head = heads[index]
    for result in results where !result.isRepeated {
      guard let range = result.outcome.range else { continue }
      check(range.first == head + 1, "A batch's numbers follow those before.")
      head = range.last
    }
    check(head == memory.scope(scope).head, "No number is left out.")
  }

  mutating func checkNumbers(_ scope: ScopeID, after head: Int64) {
    let state = memory.scope(scope)
    let rows = memory.rows(in: scope, after: 0, limit: .max)
    seen.moves += rows.count { $0.seq > head && $0.state.presence == .moved }
    let sum = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    check(state.digest == sum, "The digest is the sum of the rows.")
    if breach == .sharedNumbers { return }
    check(Set(rows.map(\.seq)).count == rows.count, "Each row has a number of its own.")
    check(rows.allSatisfy { 1...state.head ~= $0.seq }, "No number is beyond the head.")
    check(state.head == head || rows.last?.seq == state.head, "The head is a row's.")
  }

  /// Gives the changes of a batch a common number, as a faulty server would.
  mutating func shareNumbers(_ results: [BatchResult]) {
    for result in results where !result.isRepeated {
      guard let range = result.outcome.range else { continue }
      for row in memory.rows(in: result.scope, after: range.first - 1, limit: .max)
      where row.seq <= range.last {
        let shared = SyncedRow(row.row, seq: range.last, state: row.state)
        memory.setRow(shared, in: result.scope)
      }
    }
  }

  // MARK: - References

  /// The ids of all rows that a scope can have.
  private func places(in scope: ScopeID) -> [RowID] {
    [Lists.list(scope.value)] + (0..<6).map { Lists.task("t\($0)") }
  }

  mutating func checkReferences(_ scope: ScopeID) {
    let living = memory.rows(in: scope, after: 0, limit: .max).filter(\.state.isLiving)
    var referrers: [RowID: Set<RowID>] = [:]
    for row in living {
      for column in pushRules.manifest[row.row.table]?.references ?? [] {
        guard let target = column.target(in: row.state) else { continue }
        referrers[target, default: []].insert(row.row)
      }
    }
    let rows = Set(living.map(\.row))
    check(rows.isSuperset(of: referrers.keys), "Nothing refers to what is gone.")
    for row in places(in: scope) {
      let noted = Set(memory.referrers(of: row, in: scope))
      check(noted == referrers[row] ?? [], "What refers to a row is noted.")
    }
  }

  // MARK: - The end

  mutating func compareLogs() async throws {
    if breach != nil { return }
    for scope in scopes {
      let (rows, state) = try await sqlite.read { log in
        (try log.rows(in: scope, after: 0, limit: .max), try log.scope(scope))
      }
      check(rows == memory.rows(in: scope, after: 0, limit: .max), "Both logs have the same rows.")
      check(state == memory.scope(scope), "Both logs have the same scopes.")
      for device in 1...4 as ClosedRange<UInt8> {
        let state = try await sqlite.read { try $0.device(.sample(device), in: scope) }
        check(state == memory.device(.sample(device), in: scope), "Both logs know the devices.")
        let sent = batches[Int(device) - 1][scopes.firstIndex(of: scope) ?? 0]
        check(state.lastNumber == sent.count, "Every batch is answered for good.")
      }
      for row in places(in: scope) {
        let (conflicts, referrers) = try await sqlite.read { log in
          (try log.conflicts(of: row, in: scope), try log.referrers(of: row, in: scope))
        }
        check(conflicts == memory.conflicts(of: row, in: scope), "Both logs keep the conflicts.")
        check(referrers == memory.referrers(of: row, in: scope), "Both logs know who refers.")
      }
    }
  }
}
