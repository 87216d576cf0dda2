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

struct TextFunctionTests {
  private let fixture: QueryFixture

  init() throws {
    fixture = try QueryFixture([
      Charter("100% Alma", location: "Split"),
      Charter("100 Alma", location: nil),
      Charter("Éire_\\ ñandú", location: "Čiovo"),
      Charter("it's \"quoted\"", location: "?1"),
      Charter("⛵️👩‍👩‍👧 crew"),
    ])
  }

  @Test(arguments: ["%", "_", "\\", "'", "\""])
  func `Wildcards in a user's input are ordinary characters`(text: String) throws {
    let expected = try fixture.names(Charter.all).filter { $0.contains(text) }
    #expect(try fixture.names { $0.name.contains(text) } == expected)
    #expect(expected.count == 1)
  }

  @Test func `A substring is found at any position, case-sensitively`() throws {
    #expect(try fixture.names { $0.name.contains("Alma") } == ["100 Alma", "100% Alma"])
    #expect(try fixture.names { $0.name.contains("alma") } == [])
    #expect(try fixture.names { $0.name.contains("") }.count == 5)
    #expect(try fixture.names { $0.name.contains("👩‍👧") } == ["⛵️👩‍👩‍👧 crew"])
  }

  @Test func `A prefix is found by its characters, case-sensitively`() throws {
    #expect(try fixture.names { $0.name.hasPrefix("100%") } == ["100% Alma"])
    #expect(try fixture.names { $0.name.hasPrefix("Éire") } == ["Éire_\\ ñandú"])
    #expect(try fixture.names { $0.name.hasPrefix("éire") } == [])
    #expect(try fixture.names { $0.name.hasPrefix("⛵️") } == ["⛵️👩‍👩‍👧 crew"])
    #expect(try fixture.names { $0.name.hasPrefix("") }.count == 5)
    #expect(try fixture.names { $0.name.hasPrefix("100 Alma and more") } == [])
  }

  @Test func `A suffix is found by its characters, case-sensitively`() throws {
    #expect(try fixture.names { $0.name.hasSuffix("Alma") } == ["100 Alma", "100% Alma"])
    #expect(try fixture.names { $0.name.hasSuffix("andú") } == ["Éire_\\ ñandú"])
    #expect(try fixture.names { $0.name.hasSuffix("ALMA") } == [])
    #expect(try fixture.names { $0.name.hasSuffix("") }.count == 5)
    #expect(try fixture.names { $0.name.hasSuffix("more than 100 Alma") } == [])
  }

  @Test func `NULL contains nothing, and the negation is true`() throws {
    #expect(try fixture.names { $0.location.contains("plit") } == ["100% Alma"])
    #expect(try fixture.names { $0.location.hasPrefix("?1") } == ["it's \"quoted\""])
    #expect(try fixture.names { $0.location.hasSuffix("") }.count == 3)
    #expect(try fixture.names { !$0.location.contains("i") }.count == 3)
  }

  @Test func `A pattern has wildcards, which a backslash escapes`() throws {
    #expect(try fixture.names { $0.name.like("100%alma") } == ["100 Alma", "100% Alma"])
    #expect(try fixture.names { $0.name.like("100\\%%") } == ["100% Alma"])
    #expect(try fixture.names { $0.name.like("100_alma") } == ["100 Alma"])
    #expect(try fixture.names { $0.name.like("%\\") } == [])
    #expect(try fixture.names { !$0.location.like("S%") }.count == 4)
  }

  @Test func `ASCII letters are lowercased, others stay`() throws {
    #expect(try fixture.names { $0.name.lowercased().contains("alma") }.count == 2)
    #expect(try fixture.names { $0.name.lowercased().hasPrefix("éire") } == [])
    #expect(try fixture.names { $0.location.lowercased() == "split" } == ["100% Alma"])
    #expect(try fixture.names { $0.location.lowercased() == nil }.count == 2)
  }

  @Test func `NULL is replaced by another text`() throws {
    #expect(try fixture.names { ($0.location ?? "Split") == "Split" }.count == 3)
    #expect(try fixture.names { ($0.location ?? "at sea").hasPrefix("at") }.count == 2)
  }
}
