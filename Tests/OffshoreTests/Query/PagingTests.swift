import Foundation
import Offshore
import Testing

struct PagingTests {
  /// Pseudorandom numbers, the same in every run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static func charters(_ count: Int, seed: UInt64) -> [Charter] {
    var generator = Generator(state: seed)
    return (0..<count).map { number in
      Charter(
        "\(number)",
        location: ["Split", "Zadar", nil, nil].randomElement(using: &generator) ?? nil,
        day: Double(Int.random(in: 0..<4, using: &generator)),
        guests: Int.random(in: 0..<3, using: &generator))
    }
  }

  private func pages(
    of query: Query<Charter>, size: Int, _ reader: Reader
  ) throws -> [Charter] {
    var rows = try query.limit(size).all(reader)
    while let last = rows.last {
      let page = try query.limit(size).after(last).all(reader)
      guard !page.isEmpty else { break }
      #expect(page.count <= size)
      rows += page
      guard rows.count < 1000 else { break }
    }
    return rows
  }

  private static let orders: [Query<Charter>] = [
    Charter.all,
    Charter.order { $0.location },
    Charter.order { $0.location.descending },
    Charter.order { $0.guests },
    Charter.order { [$0.guests.descending, $0.location.ascending] },
    Charter.order { [$0.location.descending, $0.startDate.descending] },
    Charter.order { [$0.location.ascending, $0.guests.descending, $0.startDate.ascending] },
    Charter.order { [$0.guests.ascending, $0.id.descending] },
    Charter.order { [$0.id.descending, $0.name.ascending] },
    Charter.where { $0.guests > 0 || $0.location == nil }.order {
      [$0.location.ascending, $0.guests.ascending]
    },
  ]

  @Test(arguments: orders)
  func `Pages return every row once and in order, among equal values and NULLs`(
    query: Query<Charter>
  ) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let fixture = try QueryFixture(Self.charters(60, seed: seed))
      try fixture.connection.read { reader throws in
        let all = try query.limit(1000).all(reader)
        for size in [1, 3, 7, 60] {
          #expect(try pages(of: query, size: size, reader).map(\.name) == all.map(\.name))
        }
      }
    }
  }

  private func seconds(_ number: Int) -> Date {
    Date(timeIntervalSince1970: 1_700_000_000.123 + Double(number))
  }

  @Test func `Pages of dates stored as text and as Unix seconds are complete`() throws {
    let fixture = try QueryFixture()
    try fixture.insert(
      (0..<30).map { (number: Int) -> Sighting in
        Sighting(
          number, day: Double(number % 4) + 0.1,
          reportedAt: number % 3 == 0 ? nil : seconds(number % 2))
      })
    try fixture.connection.read { reader throws in
      let query = Sighting.order { [$0.reportedAt.descending, $0.seenAt.ascending] }.limit(4)
      var found = try query.all(reader)
      while let last = found.last, found.count < 100 {
        let page = try query.after(last).all(reader)
        if page.isEmpty { break }
        found += page
      }
      #expect(found.count == 30)
      #expect(Set(found.map(\.number)).count == 30)
    }
  }

  @Test func `The next page does not move when rows before it are inserted or deleted`() throws {
    let charters = (1...6).map { Charter("\($0)", guests: $0) }
    let fixture = try QueryFixture(charters)
    let query = Charter.order { $0.guests }.limit(2)
    try fixture.connection.write { writer throws in
      let first = try query.all(writer)
      try charters[0].delete(writer)
      try charters[1].delete(writer)
      try Charter("new", guests: 0).insert(writer)
      let boundary = try #require(first.last)
      #expect(try query.after(boundary).all(writer).map(\.name) == ["3", "4"])
    }
  }

  @Test func `The page after the last row is empty, counted or fetched`() throws {
    let fixture = try QueryFixture([Charter("a", guests: 1), Charter("b", guests: 2)])
    try fixture.connection.read { reader throws in
      let last = try #require(try Charter.order { $0.guests.descending }.limit(2).all(reader).last)
      let rest = Charter.order { $0.guests.descending }.after(last)
      #expect(try rest.all(reader).isEmpty)
      #expect(try rest.first(reader) == nil)
      #expect(try rest.count(reader) == 0)
      #expect(try !rest.exists(reader))
    }
  }

  @Test func `An index on the first column of the order finds the start of a page`() throws {
    let fixture = try QueryFixture()
    try fixture.connection.write {
      try SQL("CREATE INDEX byDate ON charters(startDate)").run($0)
    }
    let query = Charter.order { $0.startDate }.limit(2).after(Charter("x", day: 3))
    let plan = try fixture.connection.read {
      try SQL("EXPLAIN QUERY PLAN \(query.sql)").all(
        $0, as: Int.self, Int.self, Int.self, String.self)
    }
    #expect(plan.contains { $0.3.contains("USING INDEX byDate (startDate>?)") })
  }

  @Test(arguments: [false, true])
  func `Pages in either direction are read from an index that ends with the key`(isDescending: Bool)
    throws
  {
    let fixture = try QueryFixture(Self.charters(60, seed: 1))
    try fixture.connection.write {
      try SQL("CREATE INDEX byGuests ON charters(guests, id)").run($0)
    }
    let query = Charter.order { isDescending ? $0.guests.descending : $0.guests.ascending }
    let page = query.limit(2).after(Charter("x", day: 3, guests: 1))
    let direction = isDescending ? " DESC" : ""
    #expect(
      page.sql.text.hasSuffix(
        #"""
        WHERE ("charters"."guests", "charters"."id") \#(isDescending ? "<" : ">") (?, ?) \#
        ORDER BY "charters"."guests"\#(direction), "charters"."id"\#(direction) LIMIT ?
        """#))
    for query in [query.limit(2), page] {
      let plan = try fixture.connection.read { try query.explain($0) }
      #expect(plan.contains("USING INDEX byGuests"))
      #expect(!plan.contains("TEMP B-TREE"))
    }
  }

  @Test func `A unique column in the order needs no further key`() {
    let query = Sample.order { $0.code.descending }.limit(2)
    #expect(query.sql.text.hasSuffix(#" ORDER BY "samples"."code" DESC LIMIT ?"#))
    let next = query.after(Sample(id: 1, code: "x"))
    #expect(next.sql.text.contains(#" WHERE "samples"."code" < ? ORDER BY"#))
  }

  private struct Sample: Record {
    let id: Int
    var code: String

    static let table = Table(
      "samples", Sample.init(id:code:), Column("id", \.id).primaryKey(),
      Column("code", \.code).unique())
  }

  @Test
  func `An expression without index leaves the choice of an index to others, and paging works`()
    throws
  {
    let fixture = try QueryFixture((1...5).map { Charter("\($0)", day: Double($0), guests: 6) })
    try fixture.connection.write {
      try SQL("CREATE INDEX byDate ON charters(startDate)").run($0)
      try SQL("CREATE INDEX byGuests ON charters(guests)").run($0)
    }
    let query = Charter.where { $0.guests >= 6 }.order { $0.startDate.withoutIndex.descending }
    #expect(query.sql.text.hasSuffix(#"ORDER BY +"charters"."startDate" DESC"#))
    try fixture.connection.read { reader throws in
      let page = query.limit(2).after(Charter("x", day: 3.5))
      let plan = try SQL("EXPLAIN QUERY PLAN \(page.sql)").all(
        reader, as: Int.self, Int.self, Int.self, String.self)
      #expect(plan.contains { $0.3.contains("USING INDEX byGuests") })
      #expect(try page.all(reader).map(\.name) == ["3", "2"])
      let sum = Charter.where { ($0.guests + 1).withoutIndex == 7 }
      #expect(sum.sql.text.contains(#"+("charters"."guests" + ?) = ?"#))
      #expect(try sum.count(reader) == 5)
    }
  }

  @Test func `The condition compares term by term, and the key last`() {
    let id = UUID()
    let row = Charter(
      id: id, name: "x", location: nil, startDate: Date(timeIntervalSinceReferenceDate: 5),
      guests: 3)
    let query = Charter.order { [$0.startDate.descending, $0.location.ascending] }.after(row)
    #expect(
      query.sql.text.contains(
        #"""
        WHERE "charters"."startDate" <= ? AND ("charters"."startDate" < ? OR \#
        "charters"."startDate" = ? AND "charters"."location" IS NOT NULL OR \#
        "charters"."startDate" = ? AND "charters"."location" IS NULL AND "charters"."id" > ?) \#
        ORDER BY "charters"."startDate" DESC, "charters"."location", "charters"."id"
        """#))
  }

  @Test func `An order by a property that is not a column is refused`() throws {
    let fixture = try QueryFixture()
    let query = Charter.order { $0.guests + 1 }.after(Charter("x"))
    let error = #expect(throws: DatabaseError.self) { try fixture.names(query) }
    #expect(error?.code == .invalidSQL)
    #expect(error?.message.contains(#""charters"."guests" + ?"#) == true)
  }

  @Test func `A table without a primary key is refused, and the error names it`() throws {
    let fixture = try QueryFixture()
    let error = #expect(throws: DatabaseError.self) {
      try fixture.connection.read { try Keyless.all.after(Keyless(text: "x")).all($0) }
    }
    #expect(error?.code == .declaration)
    #expect(error?.message.contains("“keyless”") == true)
  }

  /// A row whose key order differs from that of its insertion, and with an indexed column.
  private struct Berth: Identifiable, Equatable, Record {
    let id: UUID
    let kind: Int

    static let table = Table(
      "berths", Berth.init(id:kind:), Column("id", \.id).primaryKey(),
      Column("kind", \.kind).indexed())
  }

  @Test(arguments: [true, false])
  func `Pages in the order of an indexed column are searched in its index, not sorted`(
    isDescending: Bool
  ) throws {
    let fixture = try QueryFixture([])
    let list = isDescending ? Berth.order { $0.kind.descending } : Berth.order { $0.kind }
    try fixture.connection.write { writer in
      try writer.create(Berth.table)
      try Berth.insert(contentsOf: (0..<300).map { Berth(id: UUID(), kind: $0 % 3) }, writer)
    }
    try fixture.connection.read { reader throws in
      let first = try list.limit(20).all(reader)
      let next = list.limit(20).after(try #require(first.last))
      for plan in [try list.limit(20).explain(reader), try next.explain(reader)] {
        #expect(plan.contains("idx_berths_kind") && !plan.contains("TEMP B-TREE"), "\(plan)")
      }
      #expect(try next.explain(reader).contains("SEARCH"))
      #expect(try first + next.all(reader) == list.limit(40).all(reader))
    }
  }
}

private struct Keyless: Record {
  var text: String
  static let table = Table("keyless", Keyless.init, Column("text", \.text))
}
