import Foundation
import Offshore
import TestSupport
import Testing

// The example of README.md; Tests/Gates holds the two to the same lines.

private struct Voyage: Identifiable, Equatable, Sendable {
  let id: UUID
  var name: String
  var startDate: Date
}

extension Voyage: Record {
  static let table = Table(
    "voyages", Voyage.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name),
    Column("startDate", \.startDate))
}

struct ReadmeTests {
  @Test func `The example of the README stores a voyage and observes upcoming ones`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/voyages.sqlite"
    let today = Date(timeIntervalSince1970: 1_800_000_000)
    let voyage = Voyage(id: UUID(), name: "Kornati", startDate: today + 86_400)

    // swift-format-ignore
    let database = try Database(path, migrations: [
      Migration("v1.0.0_createVoyages", .create(Voyage.table))
    ])
    try await database.write { try voyage.insert($0) }

    let upcoming = Voyage.where { $0.startDate > today }.order { $0.startDate }
    for try await voyages in database.values(of: upcoming) {
      #expect(voyages.map(\.name) == ["Kornati"])
      break
    }
    await database.close()
  }
}
