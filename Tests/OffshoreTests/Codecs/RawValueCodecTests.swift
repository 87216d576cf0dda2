import Testing

@testable import Offshore

struct RawValueCodecTests {
  @Test("An enum of texts is stored by its raw value and loads again", arguments: CrewRole.allCases)
  func text(role: CrewRole) throws {
    let probe = try CodecProbe<CrewRole.Codec>()
    #expect(try probe.stored(role) == "text '\(role.rawValue)'")
    #expect(try probe.loaded(role) == role)
  }

  @Test("An enum of integers is stored by its raw value and loads again", arguments: Deck.allCases)
  func integer(deck: Deck) throws {
    let probe = try CodecProbe<Deck.Codec>()
    #expect(try probe.stored(deck) == "integer \(deck.rawValue)")
    #expect(try probe.loaded(deck) == deck)
  }

  @Test(
    "A raw value that is no case is an error, never the first case",
    arguments: [
      ("'captain'", "a text of 7 bytes"), ("''", "a text of 0 bytes"),
      ("'Skipper'", "a text of 7 bytes"),
    ])
  func unknown(expression: String, found: String) throws {
    #expect(
      try CodecProbe<CrewRole.Codec>().misfit(SQL(raw: expression))
        == Misfit(expected: "the raw value of a case of CrewRole", found: found))
  }

  @Test("An unknown integer is an error")
  func unknownInteger() throws {
    #expect(try CodecProbe<Deck.Codec>().misfit("3")?.found == "an integer")
  }

  @Test(
    "A value of another storage class is the raw value's own error",
    arguments: [
      ("1", "a text in UTF-8"), ("NULL", "a text in UTF-8"), ("x'ff'", "a text in UTF-8"),
    ])
  func otherClasses(expression: String, expected: String) throws {
    #expect(try CodecProbe<CrewRole.Codec>().misfit(SQL(raw: expression))?.expected == expected)
  }

  @Test("The column has the raw value's type")
  func sqlType() {
    #expect(CrewRole.Codec.sqlType == "TEXT")
    #expect(Deck.Codec.sqlType == "INTEGER")
  }

  @Test("The samples are the first and the last case")
  func samples() {
    #expect(CrewRole.Codec.samples == (.skipper, .guest))
  }
}

enum CrewRole: String, CaseIterable, ColumnValue {
  case skipper, cook, deckhand, guest
}

enum Deck: Int, CaseIterable, ColumnValue {
  case lower = -1
  case main = 0
  case upper = 1
}
