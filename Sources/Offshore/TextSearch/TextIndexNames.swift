/// The names of a text index and its objects. They begin with an underscore, like all names of the
/// library.
struct TextIndexNames: Hashable, Sendable {
  static let prefix = "_text_"

  let table: String

  /// The FTS5 table.
  var index: String { Self.prefix + table }
  /// The view from which FTS5 reads the texts of the rows.
  var content: String { index + "_rows" }
  /// The table with a number for each row, if the table's key is not an integer.
  var keys: String { index + "_keys" }
  /// The queue of changed rows that are not indexed again yet, with their indexed texts.
  var queue: String { index + "_queue" }
  /// FTS5's own table, with a row for each indexed row.
  var sizes: String { index + "_docsize" }

  func trigger(_ event: String) -> String { index + "_" + event }
}

extension TextIndexNames {
  private static let queueSuffix = "_queue"

  /// Creates the names from that of the queue.
  init(queue: String) {
    self.init(table: String(queue.dropFirst(Self.prefix.count).dropLast(Self.queueSuffix.count)))
  }

  /// Returns whether a statement reads text indexes.
  static func isRead(by statement: Statement) -> Bool {
    statement.region.columns.keys.contains { $0.hasPrefix(prefix) && !isQueue($0) }
  }

  /// Returns the message for an error of SQLite that names a text index.
  static func explain(_ detail: String) -> String {
    let missing = "no such table: \(prefix)"
    guard detail.hasPrefix(missing) else {
      return
        "A text index is in the way: \(detail). Drop it before, by drop(_:), and create it anew."
    }
    return
      "The file has no text index of “\(detail.dropFirst(missing.count))”. Create it in a migration "
      + "by create(_:)."
  }

  /// Returns whether a table is the queue of a text index.
  static func isQueue(_ table: String) -> Bool {
    table.hasPrefix(prefix) && table.hasSuffix(queueSuffix)
  }
}
