import Foundation
import Offshore

/// What a device has written, in its own file, so that it commits with what it tells of.
///
/// The clock of the device goes on whenever changes are sealed. So writes of one row that have the same
/// clock are sent as one.
enum Ledger {
  /// A part of a transaction: what was done to a row.
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

  /// The number that the next entry has.
  static func next(_ reader: Reader) throws -> Int64 {
    try SQL("SELECT ifnull(max(number), 0) + 1 FROM ledger").one(reader, as: Int64.self) ?? 1
  }

  static func note(_ entry: Entry, _ writer: Writer) throws {
    try SQL(
      """
      INSERT INTO ledger
      SELECT \(entry.number), \(entry.kind), \(entry.row), \(entry.value), clock FROM _state
      """
    ).run(writer)
  }

  /// Says what has been committed; one call for a line, so that a line is there whole or not at all.
  static func tell(_ line: String) {
    FileHandle.standardOutput.write(Data(line.utf8))
  }
}
