import Testing

@testable import Offshore

struct RawValueCodecTests {
  @Test(arguments: CrewRole.allCases)
  func `An enum of texts is stored by its raw value and loads again`(role: CrewRole) throws {
    let probe = try CodecProbe<CrewRole.Codec>()
    #expect(try probe.stored(role) == "text '\(role.rawValue)'")
    #expect(try probe.loaded(role) == role)
  }

  @Test(arguments: Deck.allCases)
  func `An enum of integers is stored by its raw value and loads again`(deck: Deck) throws {
    let probe = try CodecProbe<Deck.Codec>()
    #expect(try probe.stored(deck) == "integer \(deck.rawValue)")
    #expect(try probe.loaded(deck) == deck)
  }

  @Test(arguments: [
    ("'captain'", "a text of 7 bytes"), ("''", "a text of 0 bytes"),
    ("'Skipper'", "a text of 7 bytes"),
  ]) func `An unknown raw value is an error and does not become the first case`(
    expression: String, found: String
  ) throws {
    #expect(
      try CodecProbe<CrewRole.Codec>().misfit(SQL(raw: expression))
        == Misfit(expected: "the raw value of a case of CrewRole", found: found))
  }

  @Test func `An unknown integer is an error`() throws {
    #expect(try CodecProbe<Deck.Codec>().misfit("3")?.found == "an integer")
  }

  @Test(arguments: [
    ("1", "a text in UTF-8"), ("NULL", "a text in UTF-8"), ("x'ff'", "a text in UTF-8"),
  ]) func `A value of another storage class causes the error of the raw value's codec`(
    expression: String, expected: String
  ) throws {
    #expect(try CodecProbe<CrewRole.Codec>().misfit(SQL(raw: expression))?.expected == expected)
  }

  @Test func `The column has the raw value's type`() {
    #expect(CrewRole.Codec.sqlType == "TEXT")
    #expect(Deck.Codec.sqlType == "INTEGER")
  }

  @Test func `The samples are the first and the last case`() {
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
