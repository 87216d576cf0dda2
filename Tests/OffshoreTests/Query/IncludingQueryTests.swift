import Foundation
import Testing

@testable import Offshore

struct IncludingQueryTests {
  private let fixture: QueryFixture
  private let charters: [Charter]
  private let checklists: [Checklist]

  init() throws {
    (fixture, charters, checklists) = try QueryFixture.withChecklists()
  }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  private func error<Row, Child>(_ query: IncludingQuery<Row, Child>) -> DatabaseError? {
    #expect(throws: DatabaseError.self) { _ = try fixture.connection.read { try query.all($0) } }
  }

  @Test func `Each row is returned with the rows that refer to it, or with an empty list`()
    throws
  {
    let result = try read { try Charter.order { $0.name }.including(Checklist.all).all($0) }
    #expect(result.map(\.row) == charters)
    #expect(
      result.map { $0.children.map(\.title).sorted() } == [["Fuel", "Safety"], ["Water"], []])
  }

  @Test func `The included rows are those of their query, in its order`() throws {
    let query = Charter.order { $0.name }.including(Checklist.order { $0.title })
    #expect(
      try read { try query.all($0) }.map { $0.children.map(\.title) }
        == [["Fuel", "Safety"], ["Water"], []])
    let done = Charter.order { $0.name }.including(Checklist.where { $0.isDone })
    #expect(
      try read { try done.all($0) }.map { $0.children.map(\.id) } == [[2], [3], []])
  }

  @Test func `The limit counts the referenced rows`() throws {
    let query = Charter.order { $0.startDate }.limit(2).offset(1).including(Checklist.all)
    let result = try read { try query.all($0) }
    #expect(result.map(\.row.name) == ["Alma", "Cosma"])
    #expect(result.map(\.children.count) == [2, 0])
  }

  @Test func `One is the first row with the rows that refer to it`() throws {
    let query = Charter.order { $0.name }.including(Checklist.order { $0.id })
    let one = try read { try query.first($0) }
    #expect(one == RowWithChildren(row: charters[0], children: Array(checklists[0...1])))
    let found = try read { try Charter.find(charters[1].id).including(Checklist.all).first($0) }
    #expect(found?.children == [checklists[2]])
    #expect(try read { try Charter.find(UUID()).including(Checklist.all).first($0) } == nil)
  }

  @Test func `Two statements fetch all rows`() {
    let query = Charter.where { $0.guests > 1 }.including(Checklist.where { !$0.isDone })
    #expect(
      query.childrenSQL.text == #"""
        SELECT "id", "title", "isDone", "charterID" FROM "checklists" \#
        WHERE NOT "checklists"."isDone" AND "checklists"."charterID" IN \#
        (SELECT "charters"."id" FROM "charters" WHERE "charters"."guests" > ?)
        """#)
  }

  @Test func `A thousand rows with three thousand included ones are complete`() throws {
    let charters = (0..<1000).map { Charter("\($0)") }
    try fixture.connection.write { writer in
      try Charter.all.delete(writer)
      try Charter.insert(contentsOf: charters, writer)
      for (index, charter) in charters.enumerated() {
        for number in 0..<3 {
          let id = index * 3 + number + 10
          try Checklist(id: id, title: "", isDone: false, charterID: charter.id).insert(writer)
        }
      }
    }
    let result = try read { try Charter.including(Checklist.all).all($0) }
    #expect(result.count == 1000)
    #expect(
      result.allSatisfy { with in
        with.children.count == 3 && with.children.allSatisfy { $0.charterID == with.row.id }
      })
  }

  @Test func `A table can be included in itself`() throws {
    try fixture.connection.write { writer in
      for (id, previous) in [(1, nil), (2, 1), (3, 1)] as [(Int, Int?)] {
        try Transfer(
          id: id, fromID: charters[0].id, toID: charters[1].id, previousID: previous,
          sightingID: nil
        ).insert(writer)
      }
    }
    let result = try read { try Transfer.order { $0.id }.including(Transfer.all).all($0) }
    #expect(result.map { $0.children.map(\.id) } == [[2, 3], [], []])
  }

  @Test func `The property selects one of two references`() throws {
    let transfer = Transfer(
      id: 1, fromID: charters[0].id, toID: charters[1].id, previousID: nil, sightingID: nil)
    try fixture.connection.write { try transfer.insert($0) }
    let query = Charter.order { $0.name }
    let from = try read { try query.including(Transfer.all, by: \.fromID).all($0) }
    let to = try read { try query.including(Transfer.all, by: \.toID).all($0) }
    #expect(from.map(\.children.count) == [1, 0, 0])
    #expect(to.map(\.children.count) == [0, 1, 0])
  }

  @Test func `If no reference or several are declared, the error names both tables`() {
    let missing = error(Sighting.including(Checklist.all))
    #expect(missing?.code == .declaration)
    #expect(missing?.message.contains("“checklists”") == true)
    #expect(missing?.message.contains("“the \"sightings\"”") == true)
    let several = error(Charter.including(Transfer.all))
    #expect(several?.code == .declaration)
    #expect(several?.message.contains("“transfers” refers to “charters”") == true)
    #expect(several?.message.contains("“fromID”, “toID”") == true)
    #expect(error(Charter.including(Transfer.all, by: \.previousID))?.code == .declaration)
    #expect(error(Sighting.including(Transfer.all))?.code == .declaration)
  }

  @Test func `A limit of the included rows is refused`() {
    #expect(error(Charter.including(Checklist.all.limit(1)))?.code == .invalidSQL)
  }
}
