import Foundation
import Offshore
import Testing

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
  func `Wildcards in what a user typed are letters like others`(text: String) throws {
    let expected = try fixture.names(Charter.all).filter { $0.contains(text) }
    #expect(try fixture.names { $0.name.contains(text) } == expected)
    #expect(expected.count == 1)
  }

  @Test func `A part is found where it is, in its case`() throws {
    #expect(try fixture.names { $0.name.contains("Alma") } == ["100 Alma", "100% Alma"])
    #expect(try fixture.names { $0.name.contains("alma") } == [])
    #expect(try fixture.names { $0.name.contains("") }.count == 5)
    #expect(try fixture.names { $0.name.contains("👩‍👧") } == ["⛵️👩‍👩‍👧 crew"])
  }

  @Test func `A beginning is found by its characters, in its case`() throws {
    #expect(try fixture.names { $0.name.hasPrefix("100%") } == ["100% Alma"])
    #expect(try fixture.names { $0.name.hasPrefix("Éire") } == ["Éire_\\ ñandú"])
    #expect(try fixture.names { $0.name.hasPrefix("éire") } == [])
    #expect(try fixture.names { $0.name.hasPrefix("⛵️") } == ["⛵️👩‍👩‍👧 crew"])
    #expect(try fixture.names { $0.name.hasPrefix("") }.count == 5)
    #expect(try fixture.names { $0.name.hasPrefix("100 Alma and more") } == [])
  }

  @Test func `An end is found by its characters, in its case`() throws {
    #expect(try fixture.names { $0.name.hasSuffix("Alma") } == ["100 Alma", "100% Alma"])
    #expect(try fixture.names { $0.name.hasSuffix("andú") } == ["Éire_\\ ñandú"])
    #expect(try fixture.names { $0.name.hasSuffix("ALMA") } == [])
    #expect(try fixture.names { $0.name.hasSuffix("") }.count == 5)
    #expect(try fixture.names { $0.name.hasSuffix("more than 100 Alma") } == [])
  }

  @Test func `NULL contains nothing, and the opposite holds`() throws {
    #expect(try fixture.names { $0.location.contains("plit") } == ["100% Alma"])
    #expect(try fixture.names { $0.location.hasPrefix("?1") } == ["it's \"quoted\""])
    #expect(try fixture.names { $0.location.hasSuffix("") }.count == 3)
    #expect(try fixture.names { !$0.location.contains("i") }.count == 3)
  }

  @Test func `A pattern has wildcards, which a backslash makes letters`() throws {
    #expect(try fixture.names { $0.name.like("100%alma") } == ["100 Alma", "100% Alma"])
    #expect(try fixture.names { $0.name.like("100\\%%") } == ["100% Alma"])
    #expect(try fixture.names { $0.name.like("100_alma") } == ["100 Alma"])
    #expect(try fixture.names { $0.name.like("%\\") } == [])
    #expect(try fixture.names { !$0.location.like("S%") }.count == 4)
  }

  @Test func `ASCII letters are lowered, others stay`() throws {
    #expect(try fixture.names { $0.name.lowercased().contains("alma") }.count == 2)
    #expect(try fixture.names { $0.name.lowercased().hasPrefix("éire") } == [])
    #expect(try fixture.names { $0.location.lowercased() == "split" } == ["100% Alma"])
    #expect(try fixture.names { $0.location.lowercased() == nil }.count == 2)
  }

  @Test func `A missing text is replaced by another`() throws {
    #expect(try fixture.names { ($0.location ?? "Split") == "Split" }.count == 3)
    #expect(try fixture.names { ($0.location ?? "at sea").hasPrefix("at") }.count == 2)
  }
}
