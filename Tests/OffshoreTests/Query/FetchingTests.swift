import Foundation
import Offshore
import Testing

struct FetchingTests {
  private let charters = [
    Charter("Alma", location: "Split", day: 2, guests: 2), Charter("Bora", day: 1, guests: 4),
    Charter("Cosma", day: 3, guests: 4),
  ]
  private let fixture: QueryFixture

  init() throws { fixture = try QueryFixture(charters) }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  @Test func `Rows load equal to the inserted ones`() throws {
    #expect(try read { try Charter.all.all($0) } == charters)
    #expect(try read { try Charter.where { $0.guests == 4 }.all($0) } == Array(charters[1...]))
  }

  @Test func `Rows are returned in the requested order`() throws {
    #expect(try fixture.names(Charter.order { $0.startDate }) == ["Bora", "Alma", "Cosma"])
    #expect(
      try fixture.names(Charter.order { [$0.guests.descending, $0.startDate.descending] })
        == ["Cosma", "Bora", "Alma"])
    #expect(
      try fixture.names(Charter.order { [$0.location.ascending, $0.name.ascending] }) == [
        "Bora", "Cosma", "Alma",
      ])
  }

  @Test func `A limit and an offset select a part of the rows`() throws {
    let query = Charter.order { $0.name }
    #expect(try fixture.names(query.limit(2)) == ["Alma", "Bora"])
    #expect(try fixture.names(query.limit(2).offset(2)) == ["Cosma"])
    #expect(try fixture.names(query.offset(1)) == ["Bora", "Cosma"])
    #expect(try fixture.names(query.limit(0)) == [])
  }

  @Test(arguments: [
    Charter.all.limit(-1), Charter.all.offset(-1), Charter.all.limit(1).offset(.min),
  ]) func `A negative limit or offset is refused`(query: Query<Charter>) throws {
    let error = #expect(throws: DatabaseError.self) { try fixture.names(query) }
    #expect(error?.code == .invalidSQL)
  }

  @Test func `One returns the first row, or nil if no row matches`() throws {
    let query = Charter.order { $0.name.descending }
    #expect(try read { try query.first($0) } == charters[2])
    #expect(try read { try query.offset(1).first($0) } == charters[1])
    #expect(try read { try query.limit(0).first($0) } == nil)
    #expect(try read { try query.limit(5).first($0) } == charters[2])
    #expect(try read { try query.where { $0.guests > 9 }.first($0) } == nil)
  }

  @Test func `A row is found by its key repeatedly, and also inside a write`() throws {
    try fixture.connection.write { writer throws in
      for charter in charters + charters {
        #expect(try Charter.find(charter.id).first(writer) == charter)
        #expect(try Charter.find(charter.id).all(writer) == [charter])
      }
      #expect(try Charter.find(UUID()).first(writer) == nil)
      var changed = charters[0]
      changed.name = "Renamed"
      try changed.update(writer)
      #expect(try Charter.find(changed.id).first(writer) == changed)
    }
  }

  @Test func `A lookup by key can be filtered, counted and limited`() throws {
    let query = Charter.find(charters[0].id)
    #expect(try read { try query.where { $0.guests == 2 }.first($0) } == charters[0])
    #expect(try read { try query.where { $0.guests == 3 }.first($0) } == nil)
    #expect(try read { try query.limit(0).first($0) } == nil)
    #expect(try read { try query.count($0) } == 1)
    #expect(try read { try query.exists($0) })
    #expect(try read { try !Charter.find(UUID()).exists($0) })
  }

  @Test func `A key that is not the property id is refused, and the error names the table`() throws
  {
    let error = #expect(throws: DatabaseError.self) {
      try read { try Berth.find(Berth(port: "Split", number: 1).id).first($0) }
    }
    #expect(error?.code == .declaration)
    #expect(error?.message.contains("“berths”") == true)
  }

  @Test func `Rows are counted, in total and by condition`() throws {
    #expect(try read { try Charter.all.count($0) } == 3)
    #expect(try read { try Charter.where { $0.guests == 4 }.count($0) } == 2)
    #expect(try read { try Charter.order { $0.name }.limit(2).count($0) } == 2)
    #expect(try read { try Charter.all.offset(2).count($0) } == 1)
    #expect(try read { try Charter.where { $0.guests == 5 }.count($0) } == 0)
  }

  @Test func `Existence is checked without fetching rows`() throws {
    #expect(try read { try Charter.where { $0.guests == 4 }.exists($0) })
    #expect(try read { try !Charter.where { $0.guests == 5 }.exists($0) })
    #expect(try read { try !Charter.all.offset(3).exists($0) })
    #expect(try read { try !Charter.all.limit(0).exists($0) })
  }

  @Test func `A property that is not a column is reported when the query is used, in any clause`()
    throws
  {
    let queries: [Query<Sighting>] = [
      Sighting.where { $0.note == "x" }, Sighting.where { !($0.note.contains("x") && $0.isSure) },
      Sighting.order { [$0.number.ascending, $0.note.ascending] },
      Sighting.where { $0.note.in(["x"]) },
      Sighting.order { $0.note }.after(Sighting(1)),
    ]
    for query in queries {
      let error = #expect(throws: DatabaseError.self) { try read { try query.first($0) } }
      #expect(error?.code == .unknownColumn)
      #expect(error?.message.contains("note") == true)
    }
  }

  @Test func `A value that its column cannot store is reported without showing it`() throws {
    let far = Date(timeIntervalSince1970: 1e15)
    let error = #expect(throws: DatabaseError.self) {
      try read { try Sighting.where { $0.seenAt < far }.all($0) }
    }
    #expect(error?.code == .invalidValue)
    let nan = #expect(throws: DatabaseError.self) {
      try read { try Sighting.where { $0.height == .nan }.all($0) }
    }
    #expect(nan?.code == .invalidValue)
  }

  @Test func `An unreadable row is reported by column and key, by all and by one`() throws {
    try fixture.connection.write {
      try SQL("UPDATE charters SET guests = 'many' WHERE name = 'Bora'").run($0)
    }
    for fetch in [
      { try Charter.find(charters[1].id).first($0) },
      { try Charter.order { $0.name }.all($0).first },
    ] as [(Reader) throws -> Charter?] {
      let error = #expect(throws: DatabaseError.self) { try read(fetch) }
      #expect(error?.code == .invalidValue)
      #expect(error?.column == "guests")
      #expect(error?.rowKey == [.text(charters[1].id.uuidString)])
      #expect(error?.description.contains("many") == false)
    }
  }
}

/// A record whose key has two columns, neither of them the property `id`.
struct Berth: Identifiable, Record, Equatable {
  var port: String
  var number: Int
  var id: String { "\(port) \(number)" }

  static let table = Table(
    "berths", Berth.init, Column("port", \.port).primaryKey(),
    Column("number", \.number).primaryKey())
}
