import Synchronization
import TestSupport
import Testing

@testable import Offshore

/// Reports of a debug build about queries that scan many rows.
struct ScanReportTests {
  private struct Sighting: Record, Equatable {
    let id: Int
    var harbor: String
    var depth: Int

    static let table = Table(
      "sightings", Sighting.init, Column("id", \.id).primaryKey(),
      Column("harbor", \.harbor), Column("depth", \.depth).indexed())
  }

  private final class Reports: Sendable {
    let sentences = Mutex<[String]>([])
    var all: [String] { sentences.withLock { $0 } }
  }

  private let folder: TemporaryFolder
  private let connection: Connection
  private let reports = Reports()

  init() throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.reportProblem = { [reports] sentence in
      reports.sentences.withLock { $0.append(sentence) }
    }
    connection = try Connection(folder.file("a.sqlite"), configuration: configuration)
    try connection.write { writer in
      try writer.create(Sighting.table)
      let rows = (0..<12_000).map { Sighting(id: $0, harbor: "Harbor \($0 % 7)", depth: $0) }
      try Sighting.insert(contentsOf: rows, writer)
    }
  }

  private func read(_ query: Query<Sighting>) throws {
    _ = try connection.read { try query.all($0) }
  }

  #if DEBUG
    @Test func `A condition that uses no index is reported once`() throws {
      for harbor in ["Harbor 1", "Harbor 2"] { try read(Sighting.where { $0.harbor == harbor }) }
      #expect(reports.all.count == 1)
      let sentence = try #require(reports.all.first)
      #expect(sentence.contains("goes through 11999 rows"))
      #expect(sentence.contains("add an index") && sentence.contains("\"harbor\" = ?"))
      #expect(!sentence.contains("Harbor 1"))
    }

    @Test func `A page that requires sorting all rows is reported`() throws {
      try read(Sighting.order { $0.harbor.descending }.limit(5))
      #expect(reports.all.count == 1 && reports.all.first?.contains("sorts 1") == true)
    }
  #endif

  @Test func `Queries that use an index or need all rows are not reported`() throws {
    try read(Sighting.where { $0.depth > 11_000 })
    try read(Sighting.order { $0.depth.descending }.limit(5))
    try read(Sighting.all)
    try read(Sighting.order { $0.harbor })
    #expect(try connection.read { try Sighting.all.count($0) } == 12_000)
    #expect(reports.all.isEmpty)
  }
}
