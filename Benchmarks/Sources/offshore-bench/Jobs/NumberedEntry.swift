import Foundation
import Offshore

/// A row of a table of 5,000,000, whose key order differs from that of its insertion.
struct NumberedEntry: Identifiable, Record {
  let id: UUID
  /// One of 10 values.
  let kind: Int

  static let count = 5_000_000

  static let table = Table(
    "entries", NumberedEntry.init(id:kind:), Column("id", \.id).primaryKey(),
    Column("kind", \.kind).indexed())

  /// Creates a file with all rows, and opens it.
  static func connection(in folder: BenchFolder) throws -> Connection {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    let ours = try Connection(folder.file("ours.sqlite"), configuration: configuration)
    try ours.write { writer in
      try SQL("CREATE TABLE entries (id TEXT PRIMARY KEY NOT NULL, kind INTEGER NOT NULL)").run(
        writer)
      // Ascending keys are inserted in a tenth of the time.
      try SQL(
        """
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(count))
        INSERT INTO entries SELECT
          printf('%08X-0000-4000-8000-%012X', i * 800, i), (i * 2654435761 >> 8) % 10 FROM n
        """
      ).run(writer)
      try SQL("CREATE INDEX idx_entries_kind ON entries (kind, id)").run(writer)
    }
    return ours
  }
}
