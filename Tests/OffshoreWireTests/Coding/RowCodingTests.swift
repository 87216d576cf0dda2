import TestSupport
import Testing

@testable import OffshoreWire

struct RowCodingTests {
  @Test func `A row is decoded as it was encoded`() throws {
    var random = SeededRandom(seed: 15)
    for _ in 0..<300 {
      let state = random.rowState()
      #expect(try RowState(decoding: state.encoded()) == state)
    }
  }

  @Test func `An op is decoded as it was encoded`() throws {
    var random = SeededRandom(seed: 16)
    for _ in 0..<300 {
      let op = try random.op()
      #expect(try Op(decoding: op.encoded()) == op)
    }
  }

  @Test(arguments: [Conflict.Reason.later, .arrival, .rule, .ended])
  func `A conflict is decoded as it was encoded`(reason: Conflict.Reason) throws {
    for winning in [WireValue?.none, .null, "new"] {
      let conflict = Conflict(
        row: Fleet.charter, field: "items.7", losing: 2.5, losingStamp: .at(5), winning: winning,
        winningStamp: .at(6, by: 2), reason: reason)
      #expect(try Conflict(decoding: conflict.encoded()) == conflict)
    }
  }

  @Test func `A rejection is decoded as it was encoded`() throws {
    for rejection in [
      Rejection(.gone, "Öl."), Rejection(.init(rawValue: "newer"), "", row: Fleet.charter),
      Rejection(.invalidValue, "No.", row: Fleet.charter, field: "name"),
    ] {
      #expect(try Rejection(decoding: rejection.encoded()) == rejection)
    }
  }

  private let state = RowState(
    stamp: .at(5), fields: ["a": 1, "b": 2, "c": 3], versions: ["b": .at(6), "c": .at(6)])

  @Test func `A repeated stamp is encoded once`() throws {
    let apart = RowState(
      stamp: .at(5), fields: ["a": 1, "b": 2, "c": 3], versions: ["b": .at(6), "c": .at(7)])
    #expect(state.encoded().count == apart.encoded().count - 24)
  }

  @Test func `Equal rows have equal bytes`() {
    var other = RowState(stamp: .at(5))
    for (field, value) in [("c", 3), ("a", 1), ("b", 2)] as [(String, WireValue)] {
      other.set(field, value, field == "a" ? .at(5) : .at(6))
    }
    #expect(other == state)
    #expect(other.encoded() == state.encoded())
  }

  /// Returns the encoding of a row: the part before its fields, then the bytes that the closure
  /// writes.
  private func bytes(_ body: (inout WireWriter) -> Void, presence: UInt8 = 0) -> [UInt8] {
    var writer = WireWriter()
    writer.signed(1)
    writer.byte(presence)
    writer.value(Stamp.at(5))
    body(&writer)
    return writer.bytes
  }

  private func field(_ name: String, _ mark: UInt8, _ stamp: Stamp?, _ writer: inout WireWriter) {
    writer.text(name)
    writer.byte(mark)
    if let stamp { writer.value(stamp) }
    writer.value(WireValue.null)
  }

  @Test func `Unordered or duplicate fields are refused`() throws {
    for names in [["b", "a"], ["a", "a"]] {
      let bytes = bytes { writer in
        writer.count(2)
        for name in names { field(name, 0, nil, &writer) }
      }
      try expect(.malformed) { _ = try RowState(decoding: bytes) }
    }
  }

  @Test func `A version with a non-canonical encoding is refused`() throws {
    let repeated = bytes { writer in
      writer.count(2)
      field("a", 1, .at(6), &writer)
      field("b", 1, .at(6), &writer)
    }
    let missing = bytes { writer in
      writer.count(1)
      field("a", 2, nil, &writer)
    }
    let unknown = bytes { writer in
      writer.count(1)
      field("a", 3, nil, &writer)
    }
    let redundant = bytes { writer in
      writer.count(1)
      field("a", 1, .at(5), &writer)
    }
    for bytes in [repeated, missing, unknown, redundant] {
      try expect(.malformed) { _ = try RowState(decoding: bytes) }
    }
  }

  @Test func `A tombstone with fields or of an unknown kind is refused`() throws {
    let withFields = bytes(
      { writer in
        writer.count(1)
        field("a", 0, nil, &writer)
      }, presence: 1)
    try expect(.malformed) { _ = try RowState(decoding: withFields) }
    try expect(.malformed) { _ = try RowState(decoding: bytes({ $0.count(0) }, presence: 3)) }
  }

  @Test func `An op of an unknown kind is refused`() throws {
    var bytes = Op(.put, RowID(table: "t", id: "1"), stamp: .at(1)).encoded()
    bytes[5] = 9
    try expect(.malformed) { _ = try Op(decoding: bytes) }
  }
}
