/// The names of a text index and of its parts. They begin with an underscore, as all that is the
/// library's own.
///
/// NB: No two tables have a name in common, such as `job` and `job_queue`: each name has an ending, and none ends
/// with that of another. FTS5 adds endings to ``index``: `_data`, `_idx`, `_content`, `_docsize`, and `_config`.
struct TextIndexNames: Hashable, Sendable {
  static let prefix = "_text_"
  static let indexSuffix = "_index"

  let table: String

  private var beginning: String { Self.prefix + table }

  /// The FTS5 table.
  var index: String { beginning + Self.indexSuffix }
  /// The view by which FTS5 reads the texts of the rows.
  var content: String { beginning + "_rows" }
  /// The numbers of the rows, if the table's key is not an integer.
  var keys: String { beginning + "_keys" }
  /// The rows that changed and are not indexed again yet, with their indexed texts.
  var queue: String { beginning + Self.queueSuffix }
  /// FTS5's own table with a row for each indexed row.
  var sizes: String { index + "_docsize" }

  func trigger(_ event: String) -> String { beginning + "_" + event }
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
    let name = detail.dropFirst(missing.count)
    let table = name.hasSuffix(indexSuffix) ? name.dropLast(indexSuffix.count) : name
    return "The file has no text index of “\(table)”. Create it in a migration by create(_:)."
  }

  /// Returns whether a table is the queue of a text index.
  static func isQueue(_ table: String) -> Bool {
    table.hasPrefix(prefix) && table.hasSuffix(queueSuffix)
  }
}
