import Foundation
import Offshore
import Testing

struct SubqueryTests {
  private let fixture: QueryFixture
  private let charters: [Charter]

  init() throws {
    (fixture, charters, _) = try QueryFixture.withChecklists()
  }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  @Test func `One value of each row is selected, in its column's stored form`() throws {
    #expect(
      try read { try Charter.order { $0.name }.select { $0.guests * 2 }.all($0) } == [4, 8, 14])
    #expect(try read { try Charter.order { $0.name }.select { $0.id }.first($0) } == charters[0].id)
    #expect(
      try read { try Charter.order { $0.name }.select { $0.location }.all($0) }
        == ["Split", "Split", nil])
    #expect(
      try read { try Charter.where { $0.guests > 99 }.select { $0.location }.first($0) } == nil)
    #expect(try read { try Charter.all.select { $0.guests > 3 }.all($0) }.count { $0 } == 2)
  }

  @Test func `A value is searched for among those that another query selects`() throws {
    let done = Checklist.where { $0.isDone }.select { $0.charterID }
    #expect(try fixture.names { $0.id.in(done) } == ["Alma", "Bora"])
    #expect(try fixture.names { !$0.id.in(done) } == ["Cosma"])
    let any = Checklist.all.select { $0.charterID }
    #expect(try fixture.names { !$0.id.in(any) } == ["Cosma"])
    let small = Charter.where { $0.guests < 3 }.select { $0.id }
    let checklists = Checklist.where { $0.charterID.in(small) }
    #expect(try read { try checklists.count($0) } == 2)
    let same = Checklist.where { $0.charterID.in(any) }
    #expect(try read { try same.count($0) } == 3)
  }

  @Test func `A subquery may have its own order and limit`() throws {
    let newest = Charter.order { $0.startDate.descending }.limit(1).select { $0.id }
    #expect(try fixture.names { $0.id.in(newest) } == ["Cosma"])
  }

  @Test func `The existence of a row that refers to this one is a condition`() throws {
    #expect(
      try fixture.names { charter in
        Checklist.where { $0.charterID == charter.id && !$0.isDone }.exists
      } == ["Alma"])
    #expect(
      try fixture.names { charter in
        !Checklist.where { $0.charterID == charter.id }.exists || charter.guests == 2
      } == ["Alma", "Cosma"])
  }

  @Test func `Comparing values that are stored in different forms is refused`() throws {
    let blobs = Sighting.all.select { $0.id }
    let error = #expect(throws: DatabaseError.self) { try fixture.names { $0.id.in(blobs) } }
    #expect(error?.code == .declaration)
    let compared = #expect(throws: DatabaseError.self) {
      try fixture.names { charter in Sighting.where { $0.id == charter.id }.exists }
    }
    #expect(compared?.code == .declaration)
    let dates = #expect(throws: DatabaseError.self) {
      try fixture.numbers { $0.seenAt == $0.reportedAt }
    }
    #expect(dates?.code == .declaration)
  }

  @Test func `A selection of a property that is not a column is reported when it is used`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try read { try Sighting.all.select { $0.note }.all($0) }
    }
    #expect(error?.code == .unknownColumn)
  }
}
