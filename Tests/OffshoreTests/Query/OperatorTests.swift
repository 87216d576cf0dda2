import Foundation
import Offshore
import Testing

struct ComparisonTests {
  private let fixture: QueryFixture

  init() throws {
    fixture = try QueryFixture([
      Charter("Alma", location: "Split", day: 1, guests: 2),
      Charter("Bora", location: nil, day: 2, guests: 4),
      Charter("Cosma", location: "Cosma", day: 3, guests: 6),
      Charter("Dalia", location: nil, day: 4, guests: 8),
    ])
  }

  @Test func `Equal and different values are distinguished`() throws {
    #expect(try fixture.names { $0.name == "Alma" } == ["Alma"])
    #expect(try fixture.names { $0.name != "Alma" } == ["Bora", "Cosma", "Dalia"])
  }

  @Test func `Values are compared by size`() throws {
    #expect(try fixture.names { $0.guests < 4 } == ["Alma"])
    #expect(try fixture.names { $0.guests <= 4 } == ["Alma", "Bora"])
    #expect(try fixture.names { $0.guests > 6 } == ["Dalia"])
    #expect(try fixture.names { $0.guests >= 6 } == ["Cosma", "Dalia"])
  }

  @Test func `Nil is a value that equals NULL and differs from all others`() throws {
    #expect(try fixture.names { $0.location == nil } == ["Bora", "Dalia"])
    #expect(try fixture.names { $0.location != nil } == ["Alma", "Cosma"])
  }

  @Test func `A variable that is nil matches NULL`() throws {
    let location: String? = nil
    #expect(try fixture.names { $0.location == location } == ["Bora", "Dalia"])
    #expect(try fixture.names { $0.location != location } == ["Alma", "Cosma"])
  }

  @Test func `An optional variable compares with a column that is never NULL`() throws {
    var name: String? = "Alma"
    #expect(try fixture.names { $0.name == name } == ["Alma"])
    name = nil
    #expect(try fixture.names { $0.name == name } == [])
    #expect(try fixture.names { $0.name != name }.count == 4)
  }

  @Test func `NULL differs from every value, as nil does in Swift`() throws {
    #expect(try fixture.names { $0.location != "Split" } == ["Bora", "Cosma", "Dalia"])
  }

  @Test func `NULL is neither smaller nor greater than a value, and the negation is true`() throws {
    #expect(try fixture.names { $0.location < "Z" } == ["Alma", "Cosma"])
    #expect(try fixture.names { $0.location >= "A" } == ["Alma", "Cosma"])
    #expect(try fixture.names { !($0.location < "Z") } == ["Bora", "Dalia"])
    #expect(try fixture.names { $0.location < nil } == [])
  }

  @Test func `Columns compare with columns, nullable or not`() throws {
    #expect(try fixture.names { $0.location == $0.name } == ["Cosma"])
    #expect(try fixture.names { $0.name == $0.location } == ["Cosma"])
    #expect(try fixture.names { $0.location == $0.location }.count == 4)
    #expect(try fixture.names { $0.location != $0.location } == [])
    #expect(try fixture.names { $0.name != $0.name } == [])
    #expect(try fixture.names { $0.guests < $0.guests * 2 - 4 } == ["Cosma", "Dalia"])
    #expect(try fixture.names { $0.guests <= $0.guests && $0.guests >= $0.guests }.count == 4)
    #expect(try fixture.names { $0.guests > $0.guests } == [])
  }

  @Test func `Conditions combine by and, or, and not, as in Swift`() throws {
    #expect(try fixture.names { $0.guests > 2 && $0.location == nil } == ["Bora", "Dalia"])
    #expect(try fixture.names { $0.guests == 2 || $0.guests == 8 } == ["Alma", "Dalia"])
    #expect(
      try fixture.names { ($0.guests == 2 || $0.guests == 4) && $0.name == "Bora" } == ["Bora"])
    #expect(try fixture.names { $0.guests == 2 || $0.guests == 4 && $0.name == "x" } == ["Alma"])
    #expect(try fixture.names { !($0.guests == 2 || $0.location == nil) } == ["Cosma"])
    #expect(try fixture.names { !(!($0.location > "M")) } == ["Alma"])
  }

  @Test
  func `The negation of a comparison without NULL is also one, which can use an index`()
    throws
  {
    func condition(_ body: (Columns<Charter>) -> SQLExpression<Bool>) -> String {
      String(Charter.where(body).sql.text.split(separator: " WHERE ")[1])
    }
    let guests = #""charters"."guests""#
    #expect(condition { !($0.guests < 4) } == "\(guests) >= ?")
    #expect(condition { !($0.guests <= 4) } == "\(guests) > ?")
    #expect(condition { !($0.guests > 4) } == "\(guests) <= ?")
    #expect(condition { !($0.guests >= 4) } == "\(guests) < ?")
    #expect(condition { !($0.guests == 4) } == "\(guests) <> ?")
    #expect(condition { !($0.guests != 4) } == "\(guests) = ?")
    #expect(condition { !($0.location < "M") }.hasSuffix("< ?) IS NOT TRUE"))
    #expect(try fixture.names { !($0.guests < 4) && !($0.guests > 6) } == ["Bora", "Cosma"])
    #expect(try fixture.names { !($0.location < nil) }.count == 4)
  }

  @Test func `UUIDs stored as bytes match, and so do all values that the key's column binds`()
    throws
  {
    let rows = [Sighting(1), Sighting(2), Sighting(3)]
    try fixture.insert(rows)
    #expect(try fixture.numbers { $0.id == rows[1].id } == [2])
    #expect(try fixture.numbers { $0.id != rows[1].id } == [1, 3])
    #expect(try fixture.numbers { $0.id.in([rows[0].id, rows[2].id]) } == [1, 3])
    let found = try fixture.connection.read { try Sighting.find(rows[2].id).first($0) }
    #expect(found == rows[2])
  }

  @Test func `Dates stored as text and as Unix seconds compare like dates`() throws {
    let epoch = Date(timeIntervalSince1970: 0)
    try fixture.insert([
      Sighting(1, day: -20_000, reportedAt: epoch), Sighting(2, day: 0), Sighting(3, day: 0.5),
    ])
    let noon = Date(timeIntervalSinceReferenceDate: 43_200)
    #expect(try fixture.numbers { $0.seenAt < noon } == [1, 2])
    #expect(try fixture.numbers { $0.seenAt == noon } == [3])
    #expect(try fixture.numbers { $0.reportedAt <= epoch } == [1])
    #expect(try fixture.numbers { $0.reportedAt == nil } == [2, 3])
  }

  @Test func `A Boolean column is a condition, and an optional one compares`() throws {
    try fixture.insert([
      Sighting(1, isSure: true, wasRare: true), Sighting(2, wasRare: false), Sighting(3),
    ])
    #expect(try fixture.numbers { $0.isSure } == [1])
    #expect(try fixture.numbers { !$0.isSure } == [2, 3])
    #expect(try fixture.numbers { $0.wasRare == true } == [1])
    #expect(try fixture.numbers { $0.wasRare != true } == [2, 3])
    #expect(try fixture.numbers { $0.wasRare ?? true } == [1, 3])
  }

  @Test func `Decimals and enums are compared for equality`() throws {
    try fixture.insert([
      Sighting(1, kind: .whale, price: Decimal(19.9)), Sighting(2, price: Decimal(100)),
    ])
    #expect(try fixture.numbers { $0.price == Decimal(string: "19.90") } == [1])
    #expect(try fixture.numbers { $0.kind == .bird } == [2])
    #expect(try fixture.numbers { $0.kind.in([.whale, .bird]) } == [1, 2])
  }

  @Test func `Numbers are added, subtracted, and multiplied`() throws {
    #expect(try fixture.names { ($0.guests + 2) * 3 - 1 == 11 } == ["Alma"])
    #expect(try fixture.names { $0.guests - ($0.guests - 1) == 1 }.count == 4)
    #expect(try fixture.names { $0.guests * $0.guests + $0.guests == 72 } == ["Dalia"])
  }
}

/// Numbers, texts and dates that a query computes, and SQLite's plans for finding rows.
struct ExpressionTests {
  private let ledger: Ledger

  init() throws { ledger = try Ledger() }

  private func first<Value: Sendable>(
    _ value: (Columns<Expense>) -> SQLExpression<Value>
  ) throws -> Value? {
    try ledger.read { try Expense.order { $0.id }.select(value).first($0) }
  }

  @Test func `Integers are divided toward 0, and other numbers keep their fraction`() throws {
    #expect(try first { $0.cents / 100 } == 4)
    #expect(try first { $0.cents % 100 } == 50)
    #expect(try first { ($0.cents - 500) / 100 } == 0)
    #expect(try first { ($0.cents - 600) / 100 } == -1)
    #expect(try first { ($0.cents - 500) % 100 } == -50)
  }

  @Test func `A quotient by an expression of 0 is nil, and by the number 0 it is refused`() throws {
    #expect(try first { $0.cents / ($0.cents - 450) } == .some(nil))
    #expect(try first { $0.cents / ($0.cents - 448) } == 225)
    #expect(try first { $0.cents % ($0.cents - 450) } == .some(nil))
    #expect(try first { $0.cents % ($0.cents - 443) } == 2)
    let error = #expect(throws: DatabaseError.self) { try first { $0.cents / 0 } }
    #expect(error?.code == .invalidSQL)
  }

  @Test func `Operators have the same precedence as in Swift`() {
    let query = Expense.all.select { ($0.cents + 1) / 2 % 3 - $0.id }
    #expect(
      query.sql.text.hasPrefix(
        #"SELECT ("expenses"."cents" + ?) / ? % ? - "expenses"."id" FROM"#))
  }

  @Test func `A date is formatted in any stored form`() throws {
    #expect(try first { $0.date.formatted("%Y-%m-%d %H:%M") } == "2026-05-03 12:00")
    let fixture = try QueryFixture()
    let reported = Date(timeIntervalSinceReferenceDate: 86_400)
    try fixture.insert([Sighting(1, day: 0.5, reportedAt: reported), Sighting(2, day: 1)])
    try fixture.connection.read { reader throws in
      let sightings = Sighting.order { $0.number }
      #expect(
        try sightings.select { $0.seenAt.formatted("%d %H:%M") }.all(reader) == [
          "01 12:00", "02 00:00",
        ])
      #expect(
        try sightings.select { $0.reportedAt.formatted("%Y-%m-%d") }.all(reader) == [
          "2001-01-02", nil,
        ])
    }
  }

  @Test func `A plan shows whether an index is used`() throws {
    try ledger.connection.write { try SQL("CREATE INDEX byDate ON expenses(date)").run($0) }
    try ledger.read { reader throws in
      #expect(
        try Expense.where { $0.date > .distantPast }.explain(reader)
          == "SEARCH expenses USING INDEX byDate (date>?)")
      #expect(try Expense.where { $0.cents > 1 }.explain(reader) == "SCAN expenses")
      let plan = try Expense.where { $0.id.in(Receipt.all.select { $0.expenseID }) }.explain(reader)
      #expect(plan.contains("\n  SCAN receipts"))
    }
  }

  @Test func `Joins, groups and selections are observed`() async throws {
    struct Sum: Equatable, Sendable {
      var name: String
      var cents: Int
    }

    let database = try Database(ledger.path)
    let joined = Expense.joining(Category.self).where { expense, _ in expense.cents > 5_000 }
    let sums = Expense.joining(Category.self).group { _, category in category.id }
      .order { _, category in category.name }
      .select(Sum.init) { expense, category in
        category.name
        expense.cents.sum()
      }
    var results = database.values(of: joined).makeAsyncIterator()
    var totals = database.values(of: sums).makeAsyncIterator()
    var names = database.values(of: Category.order { $0.name }.select { $0.name })
      .makeAsyncIterator()
    #expect(try await results.next()?.count == 2)
    #expect(try await totals.next()?.first == Sum(name: "Boat", cents: 24_000))
    #expect(try await names.next() == ["Boat", "Food", "Gifts"])
    try await database.write { writer in
      try Expense(7, "Sail", Ledger.boat, cents: 90_000, on: "2026-07-01").insert(writer)
      try Category.where { $0.id == Ledger.unused.id }.update(writer) { [$0.name.set("Art")] }
    }
    #expect(try await results.next()?.count == 3)
    #expect(try await totals.next()?.first == Sum(name: "Boat", cents: 114_000))
    #expect(try await names.next() == ["Art", "Boat", "Food"])
    await database.close()
  }

  @Test func `Selections that create values by a closure share no fetch`() async throws {
    let database = try Database(ledger.path)
    let next: @Sendable (Int) -> Int = { $0 + 1 }
    let negative: @Sendable (Int) -> Int = { -$0 }
    var first = database.values(of: Category.order { $0.id }.select(next) { $0.id })
      .makeAsyncIterator()
    var second = database.values(of: Category.order { $0.id }.select(negative) { $0.id })
      .makeAsyncIterator()
    #expect(try await first.next() == [2, 3, 4])
    #expect(try await second.next() == [-1, -2, -3])
    await database.close()
  }
}
