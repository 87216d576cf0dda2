import TestSupport
import Testing

@testable import OffshoreWire

struct ValueCodingTests {
  @Test(
    arguments: [
      .null, .integer(.min), .integer(.max), 0, .real(-0.0), .real(.nan), .real(.signalingNaN),
      .real(-.infinity), .real(.leastNonzeroMagnitude), .text([]), "Öl\u{0}", .text([0xFF, 0xC0]),
      .blob([]),
      .blob([0, 0xFF]), .blob(Array(repeating: 7, count: 100_000)),
    ] as [WireValue])
  func `A value is decoded bit for bit`(value: WireValue) throws {
    #expect(try WireValue(decoding: value.encoded()) == value)
  }

  @Test func `Random values are decoded in the order in which they were encoded`() throws {
    var random = SeededRandom(seed: 2)
    let values = (0..<2_000).map { _ in random.value() }
    var writer = WireWriter()
    writer.list(values)
    var reader = WireReader(writer.bytes)
    #expect(try reader.list() == values)
    try reader.finish()
  }

  @Test func `An unknown kind of value is refused`() throws {
    for tag in [0, 6, 255] as [UInt8] {
      try expect(.malformed) { _ = try WireValue(decoding: [tag]) }
    }
  }

  @Test func `Row ids, scopes, hashes and stamps are decoded as they were encoded`() throws {
    let row = RowID(table: "charters", id: "7")
    #expect(try RowID(decoding: row.encoded()) == row)
    let scope = try ScopeID("charter/7")
    #expect(try ScopeID(decoding: scope.encoded()) == scope)
    let hash = ContentHash(of: [7])
    #expect(try ContentHash(decoding: hash.encoded()) == hash)
    let stamp = Stamp.at(1 << 40, 7, by: 9)
    #expect(try Stamp(decoding: stamp.encoded()) == stamp)
  }

  @Test func `An invalid scope is refused with its place`() throws {
    var writer = WireWriter()
    writer.text("charter")
    writer.text("a b")
    let bytes = writer.bytes
    let error = try expect(.malformed) { _ = try ScopeID(decoding: bytes) }
    #expect(error.offset == bytes.count)
  }
}
