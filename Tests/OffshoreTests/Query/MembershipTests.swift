import Foundation
import Offshore
import Testing

struct MembershipTests {
  private let fixture: QueryFixture

  init() throws {
    fixture = try QueryFixture([
      Charter("Alma", location: "Split", guests: 2),
      Charter("Bora", location: nil, guests: 4),
      Charter("Cosma", location: "Zadar", guests: 6),
    ])
  }

  @Test("A value is looked for among several")
  func values() throws {
    #expect(try fixture.names { $0.guests.in([2, 6, 7]) } == ["Alma", "Cosma"])
    #expect(try fixture.names { $0.guests.in(Set([4])) } == ["Bora"])
    #expect(try fixture.names { $0.guests.in(3...6) } == ["Bora", "Cosma"])
    #expect(try fixture.names { $0.name != "x" && ($0.guests + 1).in([3]) } == ["Alma"])
  }

  @Test("Nothing is among no values")
  func empty() throws {
    #expect(try fixture.names { $0.guests.in([]) } == [])
    #expect(try fixture.names { !$0.guests.in([]) }.count == 3)
    #expect(try fixture.names { !$0.location.in([String]()) }.count == 3)
  }

  @Test("NULL is among values where nil is")
  func null() throws {
    #expect(try fixture.names { $0.location.in(["Split", nil]) } == ["Alma", "Bora"])
    #expect(try fixture.names { $0.location.in([nil]) } == ["Bora"])
    #expect(try fixture.names { $0.location.in(["Split"]) } == ["Alma"])
    #expect(try fixture.names { !$0.location.in(["Split"]) } == ["Bora", "Cosma"])
    #expect(try fixture.names { !$0.location.in(["Split", nil]) } == ["Cosma"])
  }

  @Test("Values that are not optional are looked for in a column that is")
  func wrapped() throws {
    let locations = ["Split", "Zadar"]
    #expect(try fixture.names { $0.location.in(locations) } == ["Alma", "Cosma"])
  }

  @Test("Twenty thousand values can be looked for at once")
  func many() throws {
    #expect(try fixture.names { $0.guests.in(5...20_000) } == ["Cosma"])
  }

  @Test("More values than SQLite takes are refused with its reason")
  func tooMany() throws {
    let error = #expect(throws: DatabaseError.self) {
      try fixture.names { $0.guests.in(0..<300_000) }
    }
    #expect(error?.code == .invalidSQL)
  }
}
