import Foundation
import Offshore

/// The writes of a device, stored in its own file so that each entry commits with its write.
///
/// The device's clock advances whenever changes are sealed, so writes of one row with the same
/// clock are sent as one edit.
enum Ledger {
  /// An entry of a transaction: one change to one row.
  struct Entry {
    let number: Int64
    let kind: String
    let row: String
    let value: String

    var line: String { "\(number) \(kind) \(row) \(value)\n" }
  }

  static let creation: SQL = """
    CREATE TABLE ledger (
      number INTEGER PRIMARY KEY, kind TEXT NOT NULL, row TEXT NOT NULL, value TEXT NOT NULL,
      clock BLOB NOT NULL)
    """

  /// Returns the number of the next entry.
  static func next(_ reader: Reader) throws -> Int64 {
    try SQL("SELECT ifnull(max(number), 0) + 1 FROM ledger").first(reader, as: Int64.self) ?? 1
  }

  static func note(_ entry: Entry, _ writer: Writer) throws {
    try SQL(
      """
      INSERT INTO ledger
      SELECT \(entry.number), \(entry.kind), \(entry.row), \(entry.value), clock FROM _state
      """
    ).run(writer)
  }

  /// Prints a line with one call, so that the output contains it as a whole or not at all.
  static func tell(_ line: String) {
    FileHandle.standardOutput.write(Data(line.utf8))
  }
}
