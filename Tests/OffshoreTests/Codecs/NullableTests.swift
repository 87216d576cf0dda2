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
