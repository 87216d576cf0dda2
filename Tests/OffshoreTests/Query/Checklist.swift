import Foundation
import Offshore

/// A record with an optional reference to a charter.
struct Checklist: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var title: String
  var isDone: Bool
  var charterID: UUID?

  static let table = Table(
    "checklists", Checklist.init(id:title:isDone:charterID:),
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("isDone", \.isDone),
    Column("charterID", \.charterID).references("charters", onDelete: .cascade))

  static let creation: SQL = """
    CREATE TABLE checklists (
      id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, isDone INTEGER NOT NULL,
      charterID TEXT REFERENCES charters(id) ON DELETE CASCADE)
    """
}

/// A record with two references to one table, one to its own, and one to a missing column.
struct Transfer: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var fromID: UUID
  var toID: UUID
  var previousID: Int?
  var sightingID: UUID?

  static let table = Table(
    "transfers", Transfer.init(id:fromID:toID:previousID:sightingID:),
    Column("id", \.id).primaryKey(),
    Column("fromID", \.fromID).references("charters"),
    Column("toID", \.toID).references("charters"),
    Column("previousID", \.previousID).references("transfers"),
    Column("sightingID", \.sightingID).references("the \"sightings\"", column: "nowhere"))

  static let creation: SQL = """
    CREATE TABLE transfers (
      id INTEGER PRIMARY KEY NOT NULL, fromID TEXT NOT NULL REFERENCES charters,
      toID TEXT NOT NULL REFERENCES charters, previousID INTEGER REFERENCES transfers,
      sightingID TEXT)
    """
}

extension QueryFixture {
  /// Three charters, of which the first two have checklists, and a checklist without a charter.
  static func withChecklists() throws -> (
    fixture: QueryFixture, charters: [Charter], checklists: [Checklist]
  ) {
    let charters = [
      Charter("Alma", location: "Split", day: 2, guests: 2),
      Charter("Bora", location: "Split", day: 1, guests: 4),
      Charter("Cosma", day: 3, guests: 7),
    ]
    let checklists = [
      Checklist(id: 1, title: "Safety", isDone: false, charterID: charters[0].id),
      Checklist(id: 2, title: "Fuel", isDone: true, charterID: charters[0].id),
      Checklist(id: 3, title: "Water", isDone: true, charterID: charters[1].id),
      Checklist(id: 4, title: "Spare", isDone: false, charterID: nil),
    ]
    let fixture = try QueryFixture(charters)
    try fixture.connection.write { writer in
      try Checklist.creation.run(writer)
      try Transfer.creation.run(writer)
      try Checklist.insert(contentsOf: checklists, writer)
    }
    return (fixture, charters, checklists)
  }
}
