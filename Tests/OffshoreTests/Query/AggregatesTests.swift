import Foundation
import Offshore
import Testing

struct AggregatesTests {
  private let fixture: QueryFixture

  init() throws {
    fixture = try QueryFixture([
      Charter("Alma", location: "Split", day: 2, guests: 2),
      Charter("Bora", location: "Zadar", day: 1, guests: 4),
      Charter("Cosma", location: nil, day: 3, guests: 7),
      Charter("Dalia", location: "Split", day: 5, guests: 3),
    ])
  }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  private func date(_ day: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: day * 86_400)
  }

  @Test func `Numbers are summed, and nothing sums to 0`() throws {
    #expect(try read { try Charter.all.sum($0) { $0.guests } } == 16)
    #expect(try read { try Charter.where { $0.guests > 3 }.sum($0) { $0.guests * 2 } } == 22)
    #expect(try read { try Charter.where { $0.guests > 99 }.sum($0) { $0.guests } } == 0)
    #expect(
      try read { try Charter.order { $0.guests.descending }.limit(2).sum($0) { $0.guests } } == 11)
  }

  @Test func `The mean is a number with a fraction, and nothing has none`() throws {
    #expect(try read { try Charter.where { $0.guests < 4 }.average($0) { $0.guests } } == 2.5)
    #expect(try read { try Charter.where { $0.guests > 99 }.average($0) { $0.guests } } == nil)
  }

  @Test func `The least and the greatest are found of what sorts`() throws {
    #expect(try read { try Charter.all.min($0) { $0.startDate } } == date(1))
    #expect(try read { try Charter.all.max($0) { $0.startDate } } == date(5))
    #expect(try read { try Charter.all.min($0) { $0.name } } == "Alma")
    #expect(try read { try Charter.all.max($0) { $0.location } } == "Zadar")
    #expect(try read { try Charter.where { $0.location == nil }.min($0) { $0.location } } == nil)
    #expect(try read { try Charter.where { $0.guests > 99 }.max($0) { $0.guests } } == nil)
  }

  @Test func `NULLs count for nothing in sums and means`() throws {
    try fixture.insert([Sighting(1, height: 1.5), Sighting(2), Sighting(3, height: 2.5)])
    #expect(try read { try Sighting.all.sum($0) { $0.height } } == 4)
    #expect(try read { try Sighting.all.average($0) { $0.height } } == 2)
    #expect(try read { try Sighting.where { $0.height == nil }.sum($0) { $0.height } } == 0)
    #expect(try read { try Sighting.all.min($0) { $0.height } } == 1.5)
  }

  @Test func `What is stored as text or bytes comes back as what it is`() throws {
    let rows = [Sighting(1, day: 3.5), Sighting(2, day: 0.25)]
    try fixture.insert(rows)
    #expect(try read { try Sighting.all.max($0) { $0.seenAt } } == date(3.5))
    let ids = rows.map(\.id).sorted { $0.uuidString < $1.uuidString }
    #expect(try read { try Sighting.all.min($0) { $0.id } } == ids[0])
  }

  @Test func `A sum that is too large is an error, never a wrong number`() throws {
    try fixture.connection.write { writer in
      try Charter.where { $0.guests > 3 }.update(writer) { [$0.guests.set(.max)] }
    }
    #expect(throws: DatabaseError.self) {
      _ = try read { try Charter.all.sum($0) { $0.guests } }
    }
  }

  @Test func `Rows are counted by a value, NULL first`() throws {
    let counts = try read { try Charter.group { $0.location }.count($0) }
    #expect(counts.map(\.0) == [nil, "Split", "Zadar"])
    #expect(counts.map(\.1) == [1, 2, 1])
  }

  @Test func `Sums and extremes are taken by a value, of the rows of the query`() throws {
    let groups = Charter.where { $0.location != nil }.group { $0.location ?? "" }
    let sums = try read { try groups.sum($0) { $0.guests } }
    #expect(sums.map(\.0) == ["Split", "Zadar"])
    #expect(sums.map(\.1) == [5, 4])
    #expect(try read { try groups.min($0) { $0.startDate } }.map(\.1) == [date(2), date(1)])
    #expect(try read { try groups.max($0) { $0.name } }.map(\.1) == ["Dalia", "Bora"])
    let limited = Charter.order { $0.guests }.limit(2).group { $0.location }
    #expect(try read { try limited.count($0) }.map(\.1) == [2])
  }

  @Test func `A group or a sum of what is no column is reported when it is used`() throws {
    for fetch in [
      { _ = try Sighting.group { $0.note }.count($0) },
      { _ = try Sighting.all.min($0) { $0.note } },
    ] as [(Reader) throws -> Void] {
      let error = #expect(throws: DatabaseError.self) { try read(fetch) }
      #expect(error?.code == .unknownColumn)
    }
  }
}
