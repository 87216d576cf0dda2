import OffshoreWire
import ServerSupport

@testable import OffshoreServer

/// The checks of a run's data after each push, and the sentences of those that failed.
struct RunChecks {
  private(set) var failures: Set<String> = []
  /// The number of moved rows that the checks have seen.
  private(set) var moves = 0
  /// The number of blobs with references that the checks have seen.
  private(set) var usedBlobs = 0
  /// The number of blobs without references that the checks have seen.
  private(set) var unusedBlobs = 0

  mutating func check(_ holds: Bool, _ sentence: String) {
    if !holds { failures.insert(sentence) }
  }

  /// Checks that the ranges of applied batches are contiguous from the old head to the new one. No
  /// row arrives from another scope, since the push has one scope only.
  mutating func checkRanges(
    of results: [BatchResult], after heads: [ScopeID: Int64], in memory: MemoryState
  ) {
    guard let scope = results.first?.scope, var head = heads[scope] else { return }
    for result in results where !result.isRepeated {
      guard let range = result.outcome.range else { continue }
      check(range.first == head + 1, "A batch's numbers follow those before.")
      head = range.last
    }
    check(head == memory.scope(scope).head, "No number is left out.")
  }

  /// Checks the numbers and the digest of a scope.
  /// - Parameter areShared: whether rows share numbers on purpose.
  mutating func checkNumbers(
    of scope: ScopeID, after head: Int64, areShared: Bool, in memory: MemoryState
  ) {
    let state = memory.scope(scope)
    let rows = memory.rows(in: scope, after: 0, limit: .max)
    moves += rows.count { $0.seq > head && $0.state.presence == .moved }
    let sum = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    check(state.digest == sum, "The digest is the sum of the rows.")
    if areShared { return }
    check(Set(rows.map(\.seq)).count == rows.count, "Each row has a number of its own.")
    check(rows.allSatisfy { 1...state.head ~= $0.seq }, "No number is beyond the head.")
    check(state.head == head || rows.last?.seq == state.head, "The head is a row's.")
  }

  // MARK: - Blobs

  /// The hashes of the blobs that tasks refer to.
  static let photos = (0..<3).map { ContentHash(of: [$0]) }

  /// Checks that exactly the blobs to which no living row refers are unused.
  mutating func checkBlobs(in scope: ScopeID, of memory: MemoryState, _ manifest: Manifest) {
    let living = memory.rows(in: scope, after: 0, limit: .max).filter(\.state.isLiving)
    var used: Set<ContentHash> = []
    for row in living {
      for column in manifest[row.row.table]?.fileColumns ?? [] {
        if let blob = column.referencedBlob(in: row.state) { used.insert(blob.hash) }
      }
    }
    for hash in Self.photos {
      let isUsed = used.contains(hash)
      check(memory.isUsed(hash, in: scope) == isUsed, "The use of a blob is known.")
      for blob in memory.blobs(hash) where blob.scope == scope {
        check((blob.unused == nil) == isUsed, "A blob is unused without references.")
        if isUsed { usedBlobs += 1 } else { unusedBlobs += 1 }
      }
    }
  }

  // MARK: - References

  /// The ids of all rows that a scope can have.
  static func places(in scope: ScopeID) -> [RowID] {
    [Lists.list(scope.value)] + (0..<6).map { Lists.task("t\($0)") }
  }

  mutating func checkReferences(
    in scope: ScopeID, of memory: MemoryState, _ manifest: Manifest
  ) {
    let living = memory.rows(in: scope, after: 0, limit: .max).filter(\.state.isLiving)
    var referrers: [RowID: Set<RowID>] = [:]
    for row in living {
      for column in manifest[row.row.table]?.references ?? [] {
        guard let target = column.referencedRow(in: row.state) else { continue }
        referrers[target, default: []].insert(row.row)
      }
    }
    let rows = Set(living.map(\.row))
    check(rows.isSuperset(of: referrers.keys), "Nothing refers to what is gone.")
    for row in Self.places(in: scope) {
      let noted = Set(memory.referrers(of: row, in: scope))
      check(noted == referrers[row] ?? [], "What refers to a row is noted.")
    }
  }
}
