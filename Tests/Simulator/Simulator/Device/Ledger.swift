import OffshoreWire

/// What the user of a device wrote, noted beside the device's own journal, to hold it to.
///
/// Only columns of which one edit replaces the whole are noted, each with a text that is written
/// once.
struct Ledger {
  /// A text that was written into a column.
  struct Write: Hashable {
    let row: RowID
    let column: String
    let text: [UInt8]
  }

  /// A column to which edits add.
  struct Counter: Hashable {
    let row: RowID
    let column: String
  }

  /// The columns whose last writer wins.
  private static let plain: Set<String> = ["title", "body", "holder", "color"]

  /// What was written and has not been seen in a batch.
  private(set) var owed: [Write] = []
  /// What was seen in a batch.
  private(set) var sent: [Write] = []
  /// The last writes of columns whose last writer wins.
  private(set) var own: [Write] = []

  /// What was added to counters, without what was taken back.
  private(set) var counts: [Counter: Int64] = [:]
  /// The rows that were deleted or taken back as a whole, whose counts say nothing any more.
  private(set) var uncounted: Set<RowID> = []

  /// The rows that were deleted, each with its scope.
  private(set) var deletions: [RowID: String] = [:]

  /// Notes that rows were deleted.
  mutating func noteDeleted(_ rows: [RowID: String]) { deletions.merge(rows) { $1 } }

  /// Notes in which scope a deletion was sent: that which the row was in before the user moved it.
  mutating func noteSentDeletion(of row: RowID, in scope: ScopeID) {
    if deletions[row] != nil { deletions[row] = scope.text }
  }

  /// Forgets deletions that were taken back.
  mutating func forgetDeletions(of rows: some Sequence<RowID>) {
    for row in rows { deletions[row] = nil }
  }

  /// Notes that something was added to a counter.
  mutating func add(_ count: Int64, to counter: Counter) { counts[counter, default: 0] += count }

  /// Notes that nothing is to be said of the counters of rows any more.
  mutating func stopCounting(_ rows: some Sequence<RowID>) { uncounted.formUnion(rows) }

  /// Notes what taking something back did to the counters that are shown.
  mutating func noteTakenBack(_ before: [Counter: Int64], _ after: [Counter: Int64]) {
    for counter in Set(before.keys).union(after.keys) {
      if let before = before[counter], let after = after[counter] {
        if before != after { add(after - before, to: counter) }
      } else {
        uncounted.insert(counter.row)
      }
    }
  }

  /// Notes a write, which replaces an earlier one of the same column that nobody has seen.
  mutating func note(_ write: Write) {
    owed.removeAll { $0.row == write.row && $0.column == write.column }
    owed.append(write)
    guard Self.plain.contains(write.column) else { return }
    own.removeAll { $0.row == write.row && $0.column == write.column }
    own.append(write)
  }

  /// Notes that a batch is on its way.
  mutating func noteSent(_ texts: Set<[UInt8]>) {
    sent += owed.filter { texts.contains($0.text) }
    owed.removeAll { texts.contains($0.text) }
  }

  /// Forgets what the user took back or wrote over.
  mutating func forgetOwed(where isGone: (Write) throws -> Bool) rethrows {
    owed = try owed.filter { try !isGone($0) }
  }

  /// Forgets what need not be shown any more.
  mutating func forgetOwn(where isGone: (Write) throws -> Bool) rethrows {
    own = try own.filter { try !isGone($0) }
  }
}
