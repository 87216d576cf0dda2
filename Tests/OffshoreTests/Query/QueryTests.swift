import Foundation
import Offshore
import Testing

/// The SQL that queries generate, without a database.
struct QueryTests {
  private let selection = """
    SELECT "id", "name", "location", "startDate", "guests" FROM "charters"
    """

  @Test func `All rows are selected by the names of their columns`() {
    #expect(Charter.all.sql.text == selection)
    #expect(Charter.all.sql.arguments.isEmpty)
  }

  @Test func `Values are bound and never part of the text`() {
    let query = Charter.where { $0.name == "x'; DROP TABLE charters; --" && $0.guests >= 4 }
    #expect(
      query.sql.text
        == selection + #" WHERE "charters"."name" = ? AND "charters"."guests" >= ?"#)
    #expect(query.sql.arguments == [.text("x'; DROP TABLE charters; --"), .integer(4)])
  }

  @Test func `Conditions of several calls are combined by AND`() {
    let query = Charter.where { $0.guests == 1 || $0.guests == 2 }.where { $0.name == "x" }
    #expect(
      query.sql.text.hasSuffix(
        #" WHERE ("charters"."guests" = ? OR "charters"."guests" = ?) AND "charters"."name" = ?"#))
  }

  @Test func `Parentheses are added if Swift and SQL operators would group differently`() {
    let query = Charter.where {
      !($0.guests == 1 && $0.name == "x") || ($0.guests + 1) * 2 - ($0.guests - 3) == 4
    }
    let guests = #""charters"."guests""#
    #expect(
      query.sql.text.hasSuffix(
        "NOT (\(guests) = ? AND \"charters\".\"name\" = ?)"
          + " OR (\(guests) + ?) * ? - (\(guests) - ?) = ?"))
  }

  @Test(arguments: [true, false])
  func `Terms of an order can be statements, arrays and branches`(isNewestFirst: Bool) {
    let lines = Charter.order {
      if isNewestFirst { $0.startDate.descending } else { $0.startDate }
      $0.name
    }
    let array = Charter.order {
      [isNewestFirst ? $0.startDate.descending : $0.startDate.ascending, $0.name.ascending]
    }
    let direction = isNewestFirst ? " DESC" : ""
    #expect(
      lines.sql.text
        == selection + #" ORDER BY "charters"."startDate"\#(direction), "charters"."name""#)
    #expect(lines == array)
  }

  @Test func `A later order sorts rows that are equal by an earlier one`() {
    let query = Charter.order { $0.guests }.order { $0.name.descending }
    #expect(
      query.sql.text == selection + #" ORDER BY "charters"."guests", "charters"."name" DESC"#)
  }

  @Test func `A limit and an offset are bound, and the key makes the order of the rows definite`() {
    let query = Charter.order { $0.guests }.limit(20).offset(40)
    #expect(
      query.sql.text
        == selection + #" ORDER BY "charters"."guests", "charters"."id" LIMIT ? OFFSET ?"#)
    #expect(query.sql.arguments == [.integer(20), .integer(40)])
    #expect(Charter.all.offset(3).sql.text.hasSuffix(" LIMIT -1 OFFSET ?"))
  }

  @Test func `A key that is part of the order is not added to it again`() {
    let query = Charter.order { $0.id.descending }.limit(1)
    #expect(query.sql.text == selection + #" ORDER BY "charters"."id" DESC LIMIT ?"#)
  }

  @Test func `The order of the calls does not matter`() {
    let first = Charter.where { $0.guests > 2 }.order { $0.name }.limit(2)
    let second = Charter.all.limit(2).order { $0.name }.where { $0.guests > 2 }
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
  }

  @Test func `Queries with other values or another text are not equal`() {
    #expect(Charter.where { $0.guests > 2 } != Charter.where { $0.guests > 3 })
    #expect(Charter.where { $0.guests > 2 } != Charter.where { $0.guests >= 2 })
    #expect(Charter.all != Charter.all.limit(1))
  }

  @Test func `A lookup by key selects by the key alone`() {
    let id = UUID()
    let query = Charter.find(id)
    #expect(query.sql.text == selection + #" WHERE "charters"."id" = ?"#)
    #expect(query.sql.arguments == [.text(id.uuidString)])
    #expect(
      query.where { $0.guests > 2 }.sql.text
        == selection + #" WHERE "charters"."id" = ? AND "charters"."guests" > ?"#)
  }

  @Test func `Names are quoted, and quotes in them escaped`() {
    let query = Sighting.where { $0.number == 1 }
    #expect(query.sql.text.hasSuffix(#" WHERE "the ""sightings"""."a ""number""" = ?"#))
  }

  @Test func `A value is bound as its column stores it`() {
    let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    let query = Sighting.where {
      $0.id == id && $0.seenAt > Date(timeIntervalSince1970: 0.5)
        && $0.reportedAt == Date(timeIntervalSince1970: 2) && $0.kind == .whale
        && $0.price == Decimal(string: "1.50") && $0.isSure == true && $0.id.in([id])
    }
    #expect(
      query.sql.arguments == [
        .blob(Array(1...16)), .text("1970-01-01 00:00:00.500"), .real(2), .text("whale"),
        .text("1.5"), .integer(1), .blob(Array(1...16)),
      ])
  }
}

/// Descriptions of statements, queries and tables.
struct DescriptionTests {
  @Test func `A statement is described without its values, and for debugging with them`() {
    let name = "Alma"
    let sql: SQL = "SELECT * FROM charters WHERE name = \(name) AND guests > \(4)"
    #expect("\(sql)" == "SELECT * FROM charters WHERE name = ? AND guests > ?")
    #expect(
      String(reflecting: sql)
        == "SELECT * FROM charters WHERE name = ? AND guests > ? ['Alma', 4]")
    #expect(String(reflecting: SQL("SELECT 1")) == "SELECT 1")
  }

  @Test func `A query is described by its statement`() {
    let query = Charter.where { $0.name == "Alma" }.order { $0.startDate }.limit(3)
    #expect("\(query)" == query.sql.text)
    #expect(!"\(query)".contains("Alma"))
    #expect("\(Charter.all)".hasPrefix("SELECT \"id\", \"name\""))
  }

  @Test func `Joins, groups and rows with others are described like queries`() {
    let join = Checklist.joining(Charter.self).where { _, charter in charter.name == "Alma" }
    #expect("\(join)" == join.sql.text && "\(join)".contains("JOIN \"charters\""))
    let names = Charter.all.select { $0.name }.distinct()
    #expect("\(names)" == names.sql.text && "\(names)".contains("DISTINCT"))
    let including = Charter.including(Checklist.all)
    #expect("\(including)" == including.sql.text)
  }

  @Test func `A table is described by its name and columns`() {
    #expect("\(Charter.table)" == "charters (id, name, location, startDate, guests)")
  }
}

/// Conditions as long as those of apps. If the operators' overloads made them slow to type-check,
/// the compiler would give up and this file would not build.
struct TypeCheckingTests {
  private let now = Date(timeIntervalSinceReferenceDate: 1000)

  @Test func `Seven terms of every kind combine in one expression`() {
    let query = Charter.where {
      $0.startDate > now && $0.name.contains("x") || $0.guests.in([2, 4])
        || $0.location == nil && !($0.guests + 2 * 3 > 8) && $0.name != "y"
        || $0.location.in(["Split", nil])
    }
    #expect(query.sql.arguments.count == 8)
  }

  @Test func `Seven comparisons of literals combine in one expression`() {
    let query = Charter.where {
      $0.guests == 1 || $0.guests == 2 || $0.guests > 3 && $0.guests <= 4 || $0.name == "a"
        || $0.name == "b" && $0.location == "c"
    }
    #expect(query.sql.arguments.count == 7)
  }

  @Test func `Seven comparisons of columns combine in one expression`() {
    let query = Charter.where {
      $0.guests == $0.guests || $0.name == $0.location && $0.location == $0.name
        || $0.guests + $0.guests * 2 < $0.guests - 1 || $0.startDate <= $0.startDate
        || $0.name.lowercased() != $0.name && $0.location ?? "x" == $0.name
    }
    #expect(query.sql.arguments.count == 3)
  }
}
