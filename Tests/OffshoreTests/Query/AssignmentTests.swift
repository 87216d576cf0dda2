import Foundation
import Offshore
import Testing

struct AssignmentTests {
  private let fixture: QueryFixture

  init() throws {
    fixture = try QueryFixture([
      Charter("Alma", location: "Split", guests: 2), Charter("Bora", guests: 4),
      Charter("Cosma", guests: 7),
    ])
  }

  @discardableResult
  private func write<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    try fixture.connection.write(body)
  }

  private func all() throws -> [Charter] {
    try fixture.connection.read { try Charter.order { $0.name }.all($0) }
  }

  @Test func `The rows that match the conditions are deleted and counted`() throws {
    #expect(try write { try Charter.where { $0.guests > 3 }.delete($0) } == 2)
    #expect(try all().map(\.name) == ["Alma"])
    #expect(try write { try Charter.where { $0.guests > 3 }.delete($0) } == 0)
    #expect(try write { try Charter.all.delete($0) } == 1)
    #expect(try all().isEmpty)
  }

  @Test func `A row is deleted and changed by its key`() throws {
    let charters = try all()
    #expect(try write { try Charter.find(charters[0].id).delete($0) } == 1)
    #expect(try write { try Charter.find(charters[1].id).update($0) { [$0.guests.set(9)] } } == 1)
    #expect(try all().map(\.guests) == [9, 7])
  }

  @Test func `Columns are set to values, NULL, and expressions of other columns`() throws {
    let count = try write {
      try Charter.where { $0.guests < 5 }.update($0) {
        [$0.name.set("x'\"?"), $0.location.set(nil), $0.guests.set($0.guests * 10 + 1)]
      }
    }
    #expect(count == 2)
    let charters = try all()
    #expect(charters.map(\.name) == ["Cosma", "x'\"?", "x'\"?"])
    #expect(charters.map(\.location) == [nil, nil, nil])
    #expect(charters.map(\.guests).sorted() == [7, 21, 41])
  }

  @Test func `A value is stored in its column's form`() throws {
    let sighting = Sighting(1)
    try fixture.insert([sighting])
    let id = UUID()
    try write { writer in
      try Sighting.find(sighting.id).update(writer) {
        [
          $0.id.set(id), $0.seenAt.set(Date(timeIntervalSince1970: 0.5)), $0.kind.set(.whale),
          $0.price.set(Decimal(19.5)), $0.wasRare.set(true), $0.number.set($0.number + 1),
        ]
      }
    }
    let changed = try fixture.connection.read { try Sighting.find(id).first($0) }
    #expect(changed?.seenAt == Date(timeIntervalSince1970: 0.5))
    #expect(changed?.kind == .whale)
    #expect(changed?.price == Decimal(19.5))
    #expect(changed?.wasRare == true)
    #expect(changed?.number == 2)
  }

  @Test func `An empty list of assignments changes nothing`() throws {
    let before = try all()
    #expect(try write { try Charter.all.update($0) { _ in [] } } == 0)
    #expect(try all() == before)
  }

  @Test(arguments: [
    Charter.all.limit(1), Charter.all.offset(1), Charter.order { $0.name },
    Charter.all.after(Charter("x")),
  ]) func `An order or a limit is refused, and nothing changes`(query: Query<Charter>) throws {
    let before = try all()
    let deleted = #expect(throws: DatabaseError.self) { try write { try query.delete($0) } }
    #expect(deleted?.code == .invalidSQL)
    #expect(deleted?.table == "charters")
    let updated = #expect(throws: DatabaseError.self) {
      try write { try query.update($0) { [$0.guests.set(0)] } }
    }
    #expect(updated?.code == .invalidSQL)
    #expect(try all() == before)
  }

  @Test func `A property that is not a column cannot be set`() throws {
    try fixture.insert([Sighting(1)])
    let unknown = #expect(throws: DatabaseError.self) {
      try write { try Sighting.all.update($0) { [$0.note.set("x")] } }
    }
    #expect(unknown?.code == .unknownColumn)
    let computed = #expect(throws: DatabaseError.self) {
      try write { try Sighting.all.update($0) { [($0.number + 1).set(3)] } }
    }
    #expect(computed?.code == .invalidSQL)
    let mismatch = #expect(throws: DatabaseError.self) {
      try write { try Sighting.all.update($0) { [$0.seenAt.set($0.reportedAt ?? Date())] } }
    }
    #expect(mismatch?.code == .declaration)
    #expect(try fixture.numbers { $0.number == 1 } == [1])
  }

  @Test func `A value that its column cannot store changes nothing`() throws {
    try fixture.insert([Sighting(1, height: 2)])
    let error = #expect(throws: DatabaseError.self) {
      try write { try Sighting.all.update($0) { [$0.height.set(.nan)] } }
    }
    #expect(error?.code == .invalidValue)
    #expect(try fixture.numbers { $0.height == 2 } == [1])
  }

  @Test func `The keys of a limited query select the rows to delete`() throws {
    let largest = Charter.order { $0.guests.descending }.limit(1).select { $0.id }
    #expect(try write { try Charter.where { $0.id.in(largest) }.delete($0) } == 1)
    #expect(try all().map(\.name) == ["Alma", "Bora"])
  }
}
