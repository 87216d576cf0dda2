import Foundation
import Testing

@testable import Offshore

struct NullableTests {
  /// Stores `nil` and a value through an optional column, and loads them.
  private func check<Codec: ColumnCodec>(_: Codec.Type, _ value: Codec.Value) throws {
    let probe = try CodecProbe<Nullable<Codec>>()
    #expect(try probe.stored(nil) == "null NULL")
    #expect(try probe.loaded([nil, value, nil]) == [nil, value, nil])
  }

  @Test func `An optional of each type loads as it was stored, nil as NULL`() throws {
    try check(IntCodec.self, .min)
    try check(Int8Codec.self, -128)
    try check(UInt64Codec.self, 0)
    try check(BoolCodec.self, false)
    try check(DoubleCodec.self, -0.5)
    try check(FloatCodec.self, 1.5)
    try check(StringCodec.self, "")
    try check(DataCodec.self, Data())
    try check(UUIDText.self, UUID())
    try check(UUIDBlob.self, UUID())
    try check(DateReference.self, .distantPast)
    try check(DateUnixSeconds.self, Date(timeIntervalSince1970: 0))
    try check(DateText.self, .distantFuture)
    try check(DecimalText.self, 0)
    try check(URLCodec.self, URL(filePath: "/a"))
    try check(CrewRole.Codec.self, .cook)
    try check(JSONCodec<[Int]>.self, [])
  }

  @Test func `Empty values are not nil`() throws {
    #expect(try CodecProbe<Nullable<StringCodec>>().stored("") == "text ''")
    #expect(try CodecProbe<Nullable<DataCodec>>().stored(Data()) == "blob X''")
  }

  @Test(arguments: ["'x'", "0.5", "x'00'"])
  func `A value that does not fit is an error and not nil`(
    expression: String
  ) throws {
    #expect(try CodecProbe<Nullable<IntCodec>>().misfit(SQL(raw: expression)) != nil)
    #expect(try CodecProbe<Nullable<BoolCodec>>().misfit(SQL(raw: expression)) != nil)
  }

  @Test func `A value that cannot be stored is refused and not stored as NULL`() throws {
    #expect(try CodecProbe<Nullable<DoubleCodec>>().refusal(.nan) != nil)
    #expect(try CodecProbe<Nullable<UInt64Codec>>().refusal(.max) != nil)
    #expect(try CodecProbe<Nullable<DateText>>().refusal(Date(timeIntervalSince1970: 1e15)) != nil)
  }

  @Test func `A column of an optional has the same type and accepts NULL`() {
    #expect(Nullable<UUIDBlob>.sqlType == "BLOB")
    #expect(Nullable<UUIDBlob>.isNullable)
    #expect(!UUIDBlob.isNullable)
  }
}

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
