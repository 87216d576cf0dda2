import Testing

@testable import OffshoreWire

struct GzipTests {
  private static func sample(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
  }

  @Test(arguments: [0, 1, 1_023, 70_000, 3_000_000])
  func `Compressed bytes are decompressed to the same bytes`(count: Int) throws {
    let bytes = Self.sample(count)
    let compressed = try #require(Gzip.compress(bytes))
    #expect(compressed.prefix(2) == [0x1F, 0x8B])
    #expect(try Gzip.decompress(compressed, limit: count) == bytes)
  }

  @Test func `Content beyond the limit is refused, and a gzip bomb is not expanded further`() throws
  {
    let bomb = try #require(Gzip.compress([UInt8](repeating: 0, count: 200 << 20)))
    #expect(bomb.count < 1 << 20)
    let duration = try ContinuousClock().measure {
      let error = try #require(throws: WireError.self) {
        try Gzip.decompress(bomb, limit: 8 << 20)
      }
      #expect(error.code == .tooLarge)
    }
    #expect(duration < .seconds(2))
    for limit in [0, 999] {
      let compressed = try #require(Gzip.compress(Self.sample(1_000)))
      #expect(throws: WireError.self) { try Gzip.decompress(compressed, limit: limit) }
    }
  }

  @Test func `Bytes whose compressed form does not fit are not compressed`() throws {
    let whole = try #require(Gzip.compress(Self.sample(5_000)))
    #expect(Gzip.compress(Self.sample(5_000), room: whole.count) == whole)
    for room in [0, 1, whole.count - 1] {
      #expect(Gzip.compress(Self.sample(5_000), room: room) == nil)
    }
  }

  @Test func `Truncated, damaged or extended data is refused`() throws {
    let compressed = try #require(Gzip.compress(Self.sample(5_000)))
    for count in stride(from: 0, to: compressed.count, by: 97) {
      #expect(throws: WireError.self) {
        try Gzip.decompress(Array(compressed.prefix(count)), limit: 5_000)
      }
    }
    #expect(throws: WireError.self) { try Gzip.decompress(compressed + [0], limit: 5_000) }
    var damaged = compressed
    damaged[compressed.count - 5] ^= 1
    let error = try #require(throws: WireError.self) {
      try Gzip.decompress(damaged, limit: 5_000)
    }
    #expect(error.code == .malformed && error.message.contains("gzip"))
  }
}
