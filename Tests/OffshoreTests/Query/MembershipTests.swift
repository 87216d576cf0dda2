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

  @Test func `A value is looked for among several`() throws {
    #expect(try fixture.names { $0.guests.in([2, 6, 7]) } == ["Alma", "Cosma"])
    #expect(try fixture.names { $0.guests.in(Set([4])) } == ["Bora"])
    #expect(try fixture.names { $0.guests.in(3...6) } == ["Bora", "Cosma"])
    #expect(try fixture.names { $0.name != "x" && ($0.guests + 1).in([3]) } == ["Alma"])
  }

  @Test func `Nothing is among no values`() throws {
    #expect(try fixture.names { $0.guests.in([]) } == [])
    #expect(try fixture.names { !$0.guests.in([]) }.count == 3)
    #expect(try fixture.names { !$0.location.in([String]()) }.count == 3)
  }

  @Test func `NULL is among values where nil is`() throws {
    #expect(try fixture.names { $0.location.in(["Split", nil]) } == ["Alma", "Bora"])
    #expect(try fixture.names { $0.location.in([nil]) } == ["Bora"])
    #expect(try fixture.names { $0.location.in(["Split"]) } == ["Alma"])
    #expect(try fixture.names { !$0.location.in(["Split"]) } == ["Bora", "Cosma"])
    #expect(try fixture.names { !$0.location.in(["Split", nil]) } == ["Cosma"])
  }

  @Test func `Values that are not optional are looked for in a column that is`() throws {
    let locations = ["Split", "Zadar"]
    #expect(try fixture.names { $0.location.in(locations) } == ["Alma", "Cosma"])
  }

  @Test func `Twenty thousand values can be looked for at once`() throws {
    #expect(try fixture.names { $0.guests.in(5...20_000) } == ["Cosma"])
  }

  @Test func `More values than SQLite takes are refused with its reason`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try fixture.names { $0.guests.in(0..<300_000) }
    }
    #expect(error?.code == .invalidSQL)
  }
}
