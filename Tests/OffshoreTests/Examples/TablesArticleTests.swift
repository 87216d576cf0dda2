import Foundation
import Offshore
import TestSupport
import Testing

// The examples of the article “Tables”; Tests/Gates holds the two to the same lines.

private enum Rig: String, CaseIterable, ColumnValue {
  case sloop, ketch, yawl
}

private struct Anchorage: Codable, Equatable, Sendable {
  var name: String
  var depth: Double
}

private struct Boat: Identifiable, Equatable, Sendable, Record {
  let id: UUID
  var name: String
  var rig: Rig
  var berths: Int
  var harborID: Int?
  var anchorages: [Anchorage]
  var launchedOn: Date?

  static let table = Table(
    "boats", Boat.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name).unique(),
    Column("rig", \.rig).default(.sloop),
    Column("berths", \.berths).check("berths > 0"),
    Column("harborID", \.harborID).references("harbors", onDelete: .setNull),
    Column("anchorages", \.anchorages, as: .json),
    Column("launchedOn", \.launchedOn)
  )
  .index(\.rig, \.name)
}

private struct Visit: Equatable, Sendable, Record {
  var boatID: UUID
  var harborID: Int
  var nights: Int

  static let table = Table(
    "visits", Visit.init,
    Column("boatID", \.boatID).primaryKey().references("boats", onDelete: .cascade),
    Column("harborID", \.harborID).primaryKey().references("harbors"),
    Column("nights", \.nights).indexed())
}

private struct Harbor: Record {
  let id: Int
  var name: String

  static let table = Table(
    "harbors", Harbor.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}

struct TablesArticleTests {
  private let folder: TemporaryFolder
  private let database: Database

  init() throws {
    folder = try TemporaryFolder()
    let migrations: Migrations = [
      Migration("v1_createBoats", .create(Harbor.table), .create(Boat.table), .create(Visit.table))
    ]
    database = try Database(folder.file("boats.sqlite"), migrations: migrations)
  }

  private let alma = Boat(
    id: UUID(), name: "Alma", rig: .ketch, berths: 6, harborID: 1,
    anchorages: [Anchorage(name: "Bay", depth: 5.5)], launchedOn: Date())

  @Test func `A row is read as it was written`() async throws {
    let alma = alma
    try await database.write { writer in
      try Harbor(id: 1, name: "Split").insert(writer)
      try alma.insert(writer)
      try Visit(boatID: alma.id, harborID: 1, nights: 2).insert(writer)
    }
    #expect(try await database.read { try Boat.all.all($0) } == [alma])
    let types = try await database.read {
      try SQL("SELECT typeof(id), typeof(launchedOn), rig, anchorages FROM boats")
        .first($0, as: String.self, String.self, String.self, String.self)
    }
    let found = try #require(types)
    #expect(found.0 == "text" && found.1 == "real" && found.2 == "ketch")
    #expect(found.3 == #"[{"depth":5.5,"name":"Bay"}]"#)
  }

  @Test func `Rules of the table refuse changes`() async throws {
    let alma = alma
    try await database.write { writer in
      try Harbor(id: 1, name: "Split").insert(writer)
      try alma.insert(writer)
    }
    var (twin, dinghy) = (alma, alma)
    twin.berths = 0
    dinghy = Boat(
      id: UUID(), name: "Alma", rig: .sloop, berths: 1, harborID: nil, anchorages: [],
      launchedOn: nil)
    for (boat, violation) in [
      (twin, DatabaseError.Violation.check("berths > 0")), (dinghy, .unique(columns: ["name"])),
    ] {
      let error = await #expect(throws: DatabaseError.self) {
        try await database.write { try boat.save($0) }
      }
      #expect(error?.violation == violation)
    }
  }
}
