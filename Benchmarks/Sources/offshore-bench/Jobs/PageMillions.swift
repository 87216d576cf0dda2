import Foundation
import Offshore

/// Fetches pages of 20 rows of a list of 5,000,000 with UUID keys, sorted by a column of 10 values, in both
/// directions. The slowest page counts.
struct PageMillions: Job {
  let name = "page-5m"
  let goal = Goal.milliseconds(must: 1)

  /// A row with a key whose order is not that of its insertion.
  private struct Entry: Identifiable, Record {
    let id: UUID
    let kind: Int

    static let table = Table(
      "entries", Entry.init(id:kind:), Column("id", \.id).primaryKey(),
      Column("kind", \.kind).indexed())
  }

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let ours = try Self.connection(in: folder)
    let pages = try ours.read { try Self.pages($0) }
    var result = Measurement()
    for round in -1..<Measurement.rounds {
      var slowest = 0.0
      for page in pages {
        let time = try await Measurement.milliseconds {
          let rows = try ours.read { try page.query.all($0) }
          try expect(rows.count == 20, "a whole page \(page.name)")
        }
        slowest = max(slowest, time)
      }
      if round >= 0 { result.ours.append(slowest) }
    }
    return result
  }

  /// The first page, one in the middle of a group, and one at its end, in either direction.
  private static func pages(_ reader: Reader) throws -> [(name: String, query: Query<Entry>)] {
    let ascending = Entry.order { $0.kind }.limit(20)
    let descending = Entry.order { $0.kind.descending }.limit(20)
    return try [ascending, descending].flatMap { list in
      try [0, 250_000, 499_990].map { depth in
        let start = try Entry.where { $0.kind == 5 }.order { $0.id }.offset(depth).one(reader)
        guard let start else { throw WrongResult(description: "There is no row \(depth).") }
        return ("after row \(depth) of a group", list.after(start))
      } + [("at the start", list)]
    }
  }

  private static func connection(in folder: BenchFolder) throws -> Connection {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    let ours = try Connection(folder.file("ours.sqlite"), configuration: configuration)
    try ours.write { writer in
      try SQL("CREATE TABLE entries (id TEXT PRIMARY KEY NOT NULL, kind INTEGER NOT NULL)").run(
        writer)
      // Keys that ascend are inserted in a tenth of the time.
      try SQL(
        """
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999999)
        INSERT INTO entries SELECT
          printf('%08X-0000-4000-8000-%012X', i * 800, i), (i * 2654435761 >> 8) % 10 FROM n
        """
      ).run(writer)
      try SQL("CREATE INDEX idx_entries_kind ON entries (kind, id)").run(writer)
    }
    return ours
  }
}
