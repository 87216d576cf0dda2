import OffshoreWire

/// The writes of a device's user, recorded beside the device's own outbox, to compare with it.
///
/// Only columns whose value an edit replaces as a whole are recorded. Each recorded text is written
/// once.
struct Ledger {
  /// A text that was written into a column.
  struct Write: Hashable {
    let row: RowID
    let column: String
    let text: [UInt8]

    var spelled: String { "\(String(decoding: text, as: UTF8.self)) as \(row).\(column)" }
  }

  /// A column to which edits add.
  struct Counter: Hashable {
    let row: RowID
    let column: String
  }

  /// The columns whose last writer wins.
  private static let plain: Set<String> = ["title", "body", "holder", "color"]

  /// The writes that were not seen in a batch yet.
  private(set) var owed: [Write] = []
  /// The writes that were seen in a batch.
  private(set) var sent: [Write] = []
  /// The last writes of columns whose last writer wins.
  private(set) var own: [Write] = []

  /// The sums that were added to counters, without cancelled additions.
  private(set) var counts: [Counter: Int64] = [:]
  /// The rows that were deleted, or cancelled as a whole. Their counters are not checked.
  private(set) var uncounted: Set<RowID> = []

  /// The rows that were deleted, each with its scope.
  private(set) var deletions: [RowID: String] = [:]

  /// The number of writes.
  private var count = 0
  /// The place of each text in the order of writes.
  private var places: [[UInt8]: Int] = [:]
  /// The number of writes before the last deletion of each row.
  private var gone: [RowID: Int] = [:]
  /// The number of writes before the text of a column was last removed.
  private var cleared: [Cell: Int] = [:]

  /// A column of a row.
  struct Cell: Hashable {
    let row: RowID
    let column: String
  }

  /// Records deleted rows, before the other writes of the same work.
  /// - Parameter rows: The rows, each with the number of writes of the work before its deletion.
  mutating func noteGone(_ rows: [RowID: Int]) {
    gone.merge(rows.mapValues { count + $0 }) { $1 }
  }

  /// Records removed texts, before the other writes of the same work.
  /// - Parameter cells: The columns, each with the number of writes of the work before.
  mutating func noteCleared(_ cells: [Cell: Int]) {
    cleared.merge(cells.mapValues { count + $0 }) { $1 }
  }

  /// Returns whether the text of a write was removed after it.
  func isCleared(_ write: Write) -> Bool {
    guard let end = cleared[Cell(row: write.row, column: write.column)],
      let place = places[write.text]
    else { return false }
    return place < end
  }

  /// Returns whether the row of a write was deleted after it.
  func isGone(_ write: Write) -> Bool {
    guard let end = gone[write.row], let place = places[write.text] else { return false }
    return place < end
  }

  /// The writes that were seen in a batch, in columns whose last writer wins.
  var sentPlain: [Write] { sent.filter { Self.plain.contains($0.column) } }

  /// Returns whether a text was written before another one. Both are texts of this ledger.
  func isEarlier(_ text: [UInt8], than other: [UInt8]) -> Bool {
    guard let place = places[text], let later = places[other] else { return false }
    return place < later
  }

  /// Returns whether a column was written after a text of it.
  func isReplaced(_ text: [UInt8], in column: String, of row: RowID) -> Bool {
    (sent + owed).contains {
      $0.row == row && $0.column == column && isEarlier(text, than: $0.text)
    }
  }

  /// Returns the last text that was seen in a batch of those that a text has replaced, in a column whose
  /// last writer wins.
  func former(_ row: RowID, _ column: String, before text: [UInt8]) -> [UInt8]? {
    sentPlain.last {
      $0.row == row && $0.column == column && isEarlier($0.text, than: text)
    }?.text
  }

  /// Records deleted rows.
  mutating func noteDeleted(_ rows: [RowID: String]) { deletions.merge(rows) { $1 } }

  /// Records the scope in which a deletion was sent: the scope of the row before the user moved it.
  mutating func noteSentDeletion(of row: RowID, in scope: ScopeID) {
    if deletions[row] != nil { deletions[row] = scope.text }
  }

  /// Removes deletions that were cancelled.
  mutating func forgetDeletions(of rows: some Sequence<RowID>) {
    for row in rows { (deletions[row], gone[row]) = (nil, nil) }
  }

  /// Records an addition to a counter.
  mutating func add(_ count: Int64, to counter: Counter) { counts[counter, default: 0] += count }

  /// Excludes the counters of rows from the checks.
  mutating func stopCounting(_ rows: some Sequence<RowID>) { uncounted.formUnion(rows) }

  /// Records the effect of a cancellation on the counters that are shown.
  mutating func noteTakenBack(_ before: [Counter: Int64], _ after: [Counter: Int64]) {
    for counter in Set(before.keys).union(after.keys) {
      if let before = before[counter], let after = after[counter] {
        if before != after { add(after - before, to: counter) }
      } else {
        uncounted.insert(counter.row)
      }
    }
  }

  /// Records a write. It replaces an earlier write of the same column that was not sent.
  mutating func note(_ write: Write) {
    places[write.text] = count
    count += 1
    owed.removeAll { $0.row == write.row && $0.column == write.column }
    owed.append(write)
    guard Self.plain.contains(write.column) else { return }
    own.removeAll { $0.row == write.row && $0.column == write.column }
    own.append(write)
  }

  /// Records that the writes with these texts were sent.
  mutating func noteSent(_ texts: Set<[UInt8]>) {
    sent += owed.filter { texts.contains($0.text) }
    owed.removeAll { texts.contains($0.text) }
  }

  /// Removes unsent writes that the user cancelled or overwrote.
  mutating func forgetOwed(where isGone: (Write) throws -> Bool) rethrows {
    owed = try owed.filter { try !isGone($0) }
  }

  /// Removes the writes of a row, after the user has decided about a refused change of it.
  mutating func forget(_ row: RowID) {
    owed.removeAll { $0.row == row }
    sent.removeAll { $0.row == row }
    own.removeAll { $0.row == row }
  }

  /// Removes writes that the device need not show any more.
  mutating func forgetOwn(where isGone: (Write) throws -> Bool) rethrows {
    own = try own.filter { try !isGone($0) }
  }
}

/// The texts that devices write. No two are equal, so each text identifies its write.
enum Text {
  /// The first byte of each text.
  static let mark = UInt8(ascii: "~")

  /// Returns whether a text is a later one of the device that has made another.
  static func isLater(_ text: [UInt8], than other: [UInt8]) -> Bool {
    let parts = [text, other].map { text in
      String(decoding: text.dropFirst(), as: UTF8.self).split(separator: ".").map {
        Int($0.prefix(while: \.isNumber))
      }
    }
    guard parts.allSatisfy({ $0.count == 2 }), parts[0][0] == parts[1][0],
      let number = parts[0][1], let former = parts[1][1]
    else { return false }
    return number > former
  }

  /// Makes a text of a device's write.
  /// - Parameter padding: The number of letters that are appended to vary the length.
  static func make(_ device: Int, _ number: Int, padding: Int = 0) -> String {
    "~\(device).\(number)" + String(repeating: "x", count: padding)
  }
}
