import Foundation
import Offshore
import Testing

struct JoinTests {
  private let fixture: QueryFixture
  private let charters: [Charter]
  private let checklists: [Checklist]

  init() throws {
    (fixture, charters, checklists) = try QueryFixture.withChecklists()
  }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  @Test
  func `Each row is returned with the row that it refers to, or else left out`()
    throws
  {
    let pairs = try read {
      try Checklist.order { $0.id }.joining(Charter.self).all($0)
    }
    #expect(pairs.map { $0.rows.0 } == Array(checklists[0...2]))
    #expect(pairs.map { $0.rows.1 } == [charters[0], charters[0], charters[1]])
  }

  @Test func `Conditions and orders can use both rows`() throws {
    let query = Checklist.where { $0.isDone }.joining(Charter.self)
      .where { checklist, charter in charter.guests < 5 && checklist.title != charter.name }
      .order { checklist, charter in
        charter.startDate
        checklist.title.descending
      }
    #expect(try read { try query.all($0) }.map { $0.rows.0.title } == ["Water", "Fuel"])
    #expect(try read { try query.count($0) } == 2)
    #expect(try read { try query.first($0) }.map { $0.rows.0.title } == "Water")
    #expect(try read { try query.limit(1).offset(1).all($0) }.map { $0.rows.0.title } == ["Fuel"])
    #expect(try read { try query.limit(1).count($0) } == 1)
    #expect(try read { try query.limit(0).first($0) } == nil)
  }

  @Test func `One statement joins the two tables by the declared reference`() {
    let query = Checklist.joining(Charter.self).where { _, charter in charter.guests > 2 }
    #expect(
      query.sql.text == #"""
        SELECT "checklists"."id", "checklists"."title", "checklists"."isDone", \#
        "checklists"."charterID", "charters"."id", "charters"."name", "charters"."location", \#
        "charters"."startDate", "charters"."guests" FROM "checklists" \#
        JOIN "charters" ON "checklists"."charterID" = "charters"."id" \#
        WHERE "charters"."guests" > ?
        """#)
  }

  @Test func `The property selects one of two references`() throws {
    let transfer = Transfer(
      id: 1, fromID: charters[0].id, toID: charters[1].id, previousID: nil, sightingID: nil)
    try fixture.connection.write { try transfer.insert($0) }
    #expect(
      try read { try Transfer.joining(Charter.self, by: \.fromID).first($0) }.map { $0.rows.1 }
        == charters[0])
    #expect(
      try read { try Transfer.joining(Charter.self, by: \.toID).first($0) }.map { $0.rows.1 }
        == charters[1])
  }

  @Test
  func `Without exactly one declared reference a join is refused, and the error names all tables`()
    throws
  {
    let several = #expect(throws: DatabaseError.self) {
      _ = try read { try Transfer.joining(Charter.self).all($0) }
    }
    #expect(several?.code == .declaration)
    #expect(several?.message.contains("“transfers” and “charters” are related by “") == true)
    let none = #expect(throws: DatabaseError.self) {
      _ = try read { try Charter.joining(Sighting.self).count($0) }
    }
    #expect(none?.code == .declaration)
    #expect(
      none?.message.hasPrefix("Between “charters” and “the \"sightings\"” no reference") == true)
  }

  @Test func `A row is joined with those that refer to it, and is kept without one in a left join`()
    throws
  {
    let pairs = try read {
      try Charter.joining(Checklist.self).order { _, list in list.id }.all($0)
    }
    #expect(pairs.map { $0.rows.1 } == Array(checklists[0...2]))
    let left = try read {
      try Checklist.leftJoining(Charter.self).order { list, _ in list.id }.all($0)
    }
    #expect(left.map { $0.rows.0 } == checklists)
    #expect(
      left.filter { $0.rows.1 == nil }.map { $0.rows.0 }
        == checklists.filter { $0.charterID == nil })
    let alone = Checklist.leftJoining(Charter.self).where { _, charter in charter.id == nil }
    #expect(try read { try alone.count($0) } == checklists.count { $0.charterID == nil })
  }

  @Test func `A limit before a join counts rows, and one after it counts results`() throws {
    let first = Charter.order { $0.startDate }.limit(1)
    let lists = checklists.filter {
      $0.charterID == charters.min { $0.startDate < $1.startDate }?.id
    }
    #expect(try read { try first.joining(Checklist.self).count($0) } == lists.count)
    #expect(try read { try Charter.joining(Checklist.self).limit(1).count($0) } == 1)
    let lost = #expect(throws: DatabaseError.self) {
      let groups = Charter.joining(Checklist.self).limit(1).group { charter, _ in charter.id }
      _ = try read { try groups.select { charter, _ in charter.name }.all($0) }
    }
    #expect(lost?.code == .invalidSQL)
  }

  @Test func `A join is found by a key, and equal results are equal`() throws {
    let query = Charter.find(charters[0].id).joining(Checklist.self).order { _, list in list.id }
    let results = try read { try query.all($0) }
    #expect(results.map { $0.rows.1 } == Array(checklists[0...1]))
    #expect(try read { try query.all($0) } == results)
    #expect(results[0] != results[1])
  }

  @Test func `An invalid value is reported with its table`() throws {
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
