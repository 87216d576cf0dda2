import Foundation
import Testing

@testable import Offshore

struct SwapProbeTests {
  private struct Stay: Equatable {
    var id: Int
    var arrival: Date
    var departure: Date
    var isPaid: Bool
    var isLate: Bool
  }

  private struct Swapped: Record {
    var first: String
    var second: String
    static let table = Table(
      "swapped", Swapped.init, Column("second", \.second), Column("first", \.first))
  }

  private struct Lossy: Record {
    var name: String
    init(name: String) { self.name = "" }
    static let table = Table("lossy", Lossy.init(name:), Column("name", \.name))
  }

  private struct OneCase: Record {
    enum Only: String, CaseIterable, ColumnValue { case one }
    var first: Only
    var second: Only
    var third: String
    static let table = Table(
      "ones", OneCase.init, Column("first", \.first), Column("second", \.second),
      Column("third", \.third))
  }

  private func problem<Row>(_ table: Table<Row>) -> DatabaseError? {
    databaseError { try table.plan.checkDeclaration() }
  }

  @Test func `Columns in the initializer's order pass`() {
    let table = Table(
      "stays", Stay.init,
      Column("id", \.id), Column("arrival", \.arrival), Column("departure", \.departure),
      Column("isPaid", \.isPaid), Column("isLate", \.isLate))
    #expect(problem(table) == nil)
  }

  @Test func `Two swapped columns of one type are named`() throws {
    let table = Table(
      "stays", Stay.init,
      Column("id", \.id), Column("departure", \.departure), Column("arrival", \.arrival),
      Column("isPaid", \.isPaid), Column("isLate", \.isLate))
    let error = try #require(problem(table))
    #expect(error.code == .declaration)
    #expect(error.table == "stays")
    #expect(error.message.contains("“departure”") && error.message.contains("“arrival”"))
  }

  @Test func `Swapped Booleans are found, although each has only two values`() throws {
    let table = Table(
      "stays", Stay.init,
      Column("id", \.id), Column("arrival", \.arrival), Column("departure", \.departure),
      Column("isLate", \.isLate), Column("isPaid", \.isPaid))
    #expect(problem(table)?.message.contains("“isLate”") == true)
  }

  private struct Pair<Value: Sendable>: Sendable {
    var first: Value
    var second: Value
  }

  private enum Sail: String, Codable, CaseIterable, ColumnValue { case main, jib }

  private struct Rig: JSONColumnValue, Sendable {
    var mastCount = 1
    static let samples = (Rig(), Rig(mastCount: 2))
  }

  private func swapped<Value: JSONColumnValue & Sendable>(_: Value.Type) -> DatabaseError? {
    problem(
      Table(
        "pairs", { Pair<Value>(first: $0, second: $1) }, Column("second", \.second, as: .json),
        Column("first", \.first, as: .json)))
  }

  @Test func `Swapped JSON columns are found`() {
    #expect(swapped([Int].self) != nil)
    #expect(swapped([[String]].self) != nil)
    #expect(swapped([Sail].self) != nil)
    #expect(swapped([Rig].self) != nil)
    #expect(swapped(Rig.self) != nil)
    #expect(swapped([String: Rig].self) != nil)
    let optional = Table(
      "pairs", { Pair<Rig?>(first: $0, second: $1) }, Column("second", \.second, as: .json),
      Column("first", \.first, as: .json))
    #expect(problem(optional) != nil)
  }

  @Test func `JSON columns without sample values do not cause false errors`() {
    struct Plain: Codable, Equatable, Sendable { var name: String }
    let table = Table(
      "pairs", { Pair<[Plain]>(first: $0, second: $1) }, Column("first", \.first, as: .json),
      Column("second", \.second, as: .json))
    #expect(problem(table) == nil)
  }

  @Test func `One column declared for two properties is found`() {
    let table = Table(
      "stays", { Stay(id: $0, arrival: $1, departure: $2, isPaid: false, isLate: false) },
      Column("id", \.id), Column("arrival", \.arrival), Column("departure", \.arrival))
    #expect(problem(table) != nil)
  }

  @Test func `An initializer that ignores its argument is found`() {
    #expect(problem(Lossy.table)?.message.contains("does not come back") == true)
  }

  @Test(arguments: [
    "arrival", "ARRIVAL",
  ]) func `A name that is declared twice is found, regardless of case`(name: String) {
    let table = Table(
      "stays", { Stay(id: $0, arrival: $1, departure: $2, isPaid: false, isLate: false) },
      Column("id", \.id), Column("arrival", \.arrival), Column(name, \.departure))
    #expect(problem(table)?.message.contains("declared twice") == true)
  }

  @Test func `Columns whose type has only one value do not cause false errors`() {
    #expect(problem(OneCase.table) == nil)
  }

  @Test func `The first use of a wrong declaration is an error, and nothing is stored`() throws {
    let test = try TestConnection("CREATE TABLE swapped (first TEXT, second TEXT)")
    let error = databaseError {
      try test.connection.write { try Swapped(first: "1", second: "2").insert($0) }
    }
    #expect(error?.code == .declaration)
    #expect(try test.connection.number("SELECT count(*) FROM swapped") == 0)
  }

  @Test func `A wrong declaration is an error each time it is used, also in fetches`() throws {
    let test = try TestConnection("CREATE TABLE swapped (first TEXT, second TEXT)")
    for _ in 0..<2 {
      #expect(
        databaseError { _ = try test.connection.read { try Swapped.all.all($0) } }?.code
          == .declaration
      )
    }
  }
}
