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

  @Test func `A value is searched for among several`() throws {
    #expect(try fixture.names { $0.guests.in([2, 6, 7]) } == ["Alma", "Cosma"])
    #expect(try fixture.names { $0.guests.in(Set([4])) } == ["Bora"])
    #expect(try fixture.names { $0.guests.in(3...6) } == ["Bora", "Cosma"])
    #expect(try fixture.names { $0.name != "x" && ($0.guests + 1).in([3]) } == ["Alma"])
  }

  @Test func `An empty list contains no value`() throws {
    #expect(try fixture.names { $0.guests.in([]) } == [])
    #expect(try fixture.names { !$0.guests.in([]) }.count == 3)
    #expect(try fixture.names { !$0.location.in([String]()) }.count == 3)
  }

  @Test func `A list with nil contains NULL`() throws {
    #expect(try fixture.names { $0.location.in(["Split", nil]) } == ["Alma", "Bora"])
    #expect(try fixture.names { $0.location.in([nil]) } == ["Bora"])
    #expect(try fixture.names { $0.location.in(["Split"]) } == ["Alma"])
    #expect(try fixture.names { !$0.location.in(["Split"]) } == ["Bora", "Cosma"])
    #expect(try fixture.names { !$0.location.in(["Split", nil]) } == ["Cosma"])
  }

  @Test func `An optional column is compared with values that are not optional`() throws {
    let locations = ["Split", "Zadar"]
    #expect(try fixture.names { $0.location.in(locations) } == ["Alma", "Cosma"])
  }

  @Test func `Twenty thousand values can be searched for at once`() throws {
    #expect(try fixture.names { $0.guests.in(5...20_000) } == ["Cosma"])
  }

  @Test func `More values than SQLite accepts are refused with its reason`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try fixture.names { $0.guests.in(0..<300_000) }
    }
    #expect(error?.code == .invalidSQL)
  }
}
