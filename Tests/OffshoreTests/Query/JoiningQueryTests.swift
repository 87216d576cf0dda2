import Foundation
import Offshore
import Testing

struct JoiningQueryTests {
  private let fixture: QueryFixture
  private let charters: [Charter]
  private let checklists: [Checklist]

  init() throws {
    (fixture, charters, checklists) = try QueryFixture.withChecklists()
  }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  @Test func `Each row comes with the one that it refers to; rows that refer to none are left out`()
    throws
  {
    let pairs = try read {
      try Checklist.order { $0.id }.joining(Charter.self).all($0)
    }
    #expect(pairs.map(\.row) == Array(checklists[0...2]))
    #expect(pairs.map(\.parent) == [charters[0], charters[0], charters[1]])
  }

  @Test func `Conditions and orders speak of both rows`() throws {
    let query = Checklist.where { $0.isDone }.joining(Charter.self)
      .where { checklist, charter in charter.guests < 5 && checklist.title != charter.name }
      .order { checklist, charter in
        charter.startDate
        checklist.title.descending
      }
    #expect(try read { try query.all($0) }.map(\.row.title) == ["Water", "Fuel"])
    #expect(try read { try query.count($0) } == 2)
    #expect(try read { try query.one($0) }?.row.title == "Water")
    #expect(try read { try query.limit(1).offset(1).all($0) }.map(\.row.title) == ["Fuel"])
    #expect(try read { try query.limit(1).count($0) } == 1)
    #expect(try read { try query.limit(0).one($0) } == nil)
  }

  @Test func `One statement joins the two tables by the declared reference`() {
    let query = Checklist.joining(Charter.self).where { $1.guests > 2 }
    #expect(
      query.sql.text == #"""
        SELECT "checklists"."id", "checklists"."title", "checklists"."isDone", \#
        "checklists"."charterID", "charters"."id", "charters"."name", "charters"."location", \#
        "charters"."startDate", "charters"."guests" FROM "checklists" \#
        JOIN "charters" ON "checklists"."charterID" = "charters"."id" \#
        WHERE "charters"."guests" > ?
        """#)
  }

  @Test func `Of two references the property says which`() throws {
    let transfer = Transfer(
      id: 1, fromID: charters[0].id, toID: charters[1].id, previousID: nil, sightingID: nil)
    try fixture.connection.write { try transfer.insert($0) }
    #expect(
      try read { try Transfer.joining(Charter.self, by: \.fromID).one($0) }?.parent == charters[0])
    #expect(
      try read { try Transfer.joining(Charter.self, by: \.toID).one($0) }?.parent == charters[1])
  }

  @Test
  func `Without one declared reference, or with itself, a join is refused by both tables' names`()
    throws
  {
    let several = #expect(throws: DatabaseError.self) {
      _ = try read { try Transfer.joining(Charter.self).all($0) }
    }
    #expect(several?.code == .declaration)
    #expect(several?.message.contains("“transfers” refers to “charters”") == true)
    let none = #expect(throws: DatabaseError.self) {
      _ = try read { try Charter.joining(Checklist.self).count($0) }
    }
    #expect(none?.code == .declaration)
    #expect(none?.message.contains("“charters” declares no reference to “checklists”") == true)
    let itself = #expect(throws: DatabaseError.self) {
      _ = try read { try Transfer.joining(Transfer.self).one($0) }
    }
    #expect(itself?.code == .declaration)
  }

  @Test func `A value that does not fit is reported by the table that it is in`() throws {
    try fixture.connection.write {
      try SQL("UPDATE charters SET guests = 'many' WHERE name = 'Bora'").run($0)
    }
    let error = #expect(throws: DatabaseError.self) {
      _ = try read { try Checklist.joining(Charter.self).all($0) }
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.table == "charters")
    #expect(error?.column == "guests")
  }
}
