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

  @Test func `Numbers are summed, and the sum of no rows is 0`() throws {
    #expect(try read { try Charter.all.sum($0) { $0.guests } } == 16)
    #expect(try read { try Charter.where { $0.guests > 3 }.sum($0) { $0.guests * 2 } } == 22)
    #expect(try read { try Charter.where { $0.guests > 99 }.sum($0) { $0.guests } } == 0)
    #expect(
      try read { try Charter.order { $0.guests.descending }.limit(2).sum($0) { $0.guests } } == 11)
  }

  @Test func `The average is a number with a fraction, and that of no rows is nil`() throws {
    #expect(try read { try Charter.where { $0.guests < 4 }.average($0) { $0.guests } } == 2.5)
    #expect(try read { try Charter.where { $0.guests > 99 }.average($0) { $0.guests } } == nil)
  }

  @Test func `The minimum and the maximum are found in columns that have an order`() throws {
    #expect(try read { try Charter.all.min($0) { $0.startDate } } == date(1))
    #expect(try read { try Charter.all.max($0) { $0.startDate } } == date(5))
    #expect(try read { try Charter.all.min($0) { $0.name } } == "Alma")
    #expect(try read { try Charter.all.max($0) { $0.location } } == "Zadar")
    #expect(try read { try Charter.where { $0.location == nil }.min($0) { $0.location } } == nil)
    #expect(try read { try Charter.where { $0.guests > 99 }.max($0) { $0.guests } } == nil)
  }

  @Test func `NULLs are ignored in sums and averages`() throws {
    try fixture.insert([Sighting(1, height: 1.5), Sighting(2), Sighting(3, height: 2.5)])
    #expect(try read { try Sighting.all.sum($0) { $0.height } } == 4)
    #expect(try read { try Sighting.all.average($0) { $0.height } } == 2)
    #expect(try read { try Sighting.where { $0.height == nil }.sum($0) { $0.height } } == 0)
    #expect(try read { try Sighting.all.min($0) { $0.height } } == 1.5)
  }

  @Test func `Minimum and maximum of values stored as text or bytes have the property's type`()
    throws
  {
    let rows = [Sighting(1, day: 3.5), Sighting(2, day: 0.25)]
    try fixture.insert(rows)
    #expect(try read { try Sighting.all.max($0) { $0.seenAt } } == date(3.5))
    let ids = rows.map(\.id).sorted { $0.uuidString < $1.uuidString }
    #expect(try read { try Sighting.all.min($0) { $0.id } } == ids[0])
  }

  @Test func `A sum that overflows is an error`() throws {
    try fixture.connection.write { writer in
      try Charter.where { $0.guests > 3 }.update(writer) { [$0.guests.set(.max)] }
    }
    #expect(throws: DatabaseError.self) {
      _ = try read { try Charter.all.sum($0) { $0.guests } }
    }
  }

  private struct Group: Equatable, Sendable {
    var location: String?
    var count: Int
    var sum: Int
    var first: Date?
    var last: String?
  }

  @Test func `Rows are grouped by a value, and counted, summed and compared in each group`() throws
  {
    let groups = Charter.group { $0.location }.order { $0.location }
      .select(Group.init) {
        $0.location
        $0.id.count()
        $0.guests.sum()
        $0.startDate.min()
        $0.name.max()
      }
    #expect(
      try read { try groups.all($0) } == [
        Group(location: nil, count: 1, sum: 7, first: date(3), last: "Cosma"),
        Group(location: "Split", count: 2, sum: 5, first: date(2), last: "Dalia"),
        Group(location: "Zadar", count: 1, sum: 4, first: date(1), last: "Bora"),
      ])
    let named = Charter.where { $0.location != nil }.group { $0.location ?? "" }
    #expect(
      try read { try named.order { $0.guests.sum() }.select { $0.location ?? "" }.all($0) } == [
        "Zadar", "Split",
      ])
  }

  @Test func `Groups are made of the rows that a limit leaves`() throws {
    let limited = Charter.order { $0.guests }.limit(2).group { $0.location }
    #expect(try read { try limited.select { $0.id.count() }.all($0) } == [2])
    let several = Charter.group { $0.location }.order { $0.id.count().descending }
    #expect(try read { try several.limit(1).select { $0.location }.all($0) } == ["Split"])
    let rest = several.having { $0.id.count() < 2 }.order { $0.location }.offset(1)
    #expect(try read { try rest.select { $0.location }.all($0) } == ["Zadar"])
  }

  @Test func `An aggregate ignores NULLs, and is 0 or nil without other values`() throws {
    try fixture.insert([Sighting(1, height: 1.5), Sighting(2), Sighting(3, height: 2.5)])
    let all = Sighting.group { $0.isSure }
    #expect(try read { try all.select { $0.height.sum() }.first($0) } == 4)
    #expect(try read { try all.select { $0.height.average() }.first($0) } == 2)
    #expect(try read { try all.select { $0.height.count() }.first($0) } == 2)
    #expect(try read { try all.select { $0.kind.count(distinct: true) }.first($0) } == 1)
    #expect(try read { try all.select { $0.height.max() }.first($0) } == 2.5)
    let none = Sighting.where { $0.height == nil }.group { $0.isSure }
    #expect(try read { try none.select { $0.height.sum() }.first($0) } == 0)
    #expect(try read { try none.select { $0.height.min() }.first($0) } == .some(nil))
  }

  @Test func `A group or a sum of a property that is not a column is reported when it is used`()
    throws
  {
    for fetch in [
      { _ = try Sighting.group { $0.note }.select { $0.id.count() }.all($0) },
      { _ = try Sighting.all.min($0) { $0.note } },
    ] as [(Reader) throws -> Void] {
      let error = #expect(throws: DatabaseError.self) { try read(fetch) }
      #expect(error?.code == .unknownColumn)
    }
  }
}
