import Foundation
import Offshore
import Testing

/// A stop of a voyage, whose key has two columns of different types.
private struct Stop: Record, Equatable {
  static let table = Table(
    "stops", Stop.init,
    Column("voyage", \.voyage, as: .blob).primaryKey(),
    Column("number", \.number).primaryKey(),
    Column("place", \.place))

  let voyage: UUID
  let number: Int
  let place: String
}

/// Rows that are found by a key of several columns.
struct CompositeKeyTests {
  private let database: Database
  private let stops = [UUID(), UUID()].flatMap { voyage in
    (1...2).map { Stop(voyage: voyage, number: $0, place: "\(voyage) \($0)") }
  }

  init() async throws {
    database = try Database.temporary(migrations: [Migration("create", .create(Stop.table))])
    try await database.write { [stops] in try Stop.insert(contentsOf: stops, $0) }
  }

  @Test func `A row is found and deleted by the values of its key`() async throws {
    let stop = stops[2]
    let found = try await database.read {
      try Stop.find(key: stop.voyage, stop.number).first($0)
    }
    #expect(found == stop)
    let missing = try await database.read { try Stop.find(key: stop.voyage, 3).first($0) }
    #expect(missing == nil)
    let rest = try await database.write { writer in
      try Stop.find(key: stop.voyage, stop.number).delete(writer)
      return try Stop.all.count(writer)
    }
    #expect(rest == 3)
  }

  @Test func `Values that do not fit the key are an error`() async throws {
    let voyage = stops[0].voyage
    let queries = [
      Stop.find(key: voyage), Stop.find(key: 1, voyage), Stop.find(key: voyage, 1, "Split"),
    ]
    for query in queries {
      let error = await #expect(throws: DatabaseError.self) {
        try await database.read { try query.first($0) }
      }
      #expect(error?.code == .declaration)
    }
  }
}
