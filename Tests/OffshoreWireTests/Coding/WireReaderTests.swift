import TestSupport
import Testing

@testable import OffshoreWire

struct WireReaderTests {
  private func written(_ body: (inout WireWriter) -> Void) -> [UInt8] {
    var writer = WireWriter()
    body(&writer)
    return writer.bytes
  }

  private func read<Value>(
    _ bytes: [UInt8], _ body: (inout WireReader) throws -> Value
  ) throws -> Value {
    var reader = WireReader(bytes)
    let value = try body(&reader)
    try reader.finish()
    return value
  }

  @Test(
    arguments: [
      (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]),
      (UInt64.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
    ] as [(UInt64, [UInt8])])
  func `A number has seven bits in each byte`(value: UInt64, bytes: [UInt8]) throws {
    #expect(written { $0.number(value) } == bytes)
    #expect(try read(bytes) { try $0.number() } == value)
  }

  @Test func `The fields of a message are limited`() throws {
    func ops(_ count: Int) -> [Op] {
      let fields = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("f\($0)", WireValue.null) })
      return (0..<count).map {
        Op(.patch, RowID(table: "t", id: "\($0)"), fields: fields, stamp: .at(Int64($0 + 1)))
      }
    }
    func parse(_ ops: [Op]) throws -> [Op] {
      try read(written { writer in for op in ops { writer.value(op) } }) { reader in
        try ops.map { _ in try reader.value(Op.self) }
      }
    }
    #expect(try parse(ops(200)).count == 200)
    let error = #expect(throws: WireError.self) { try parse(ops(201)) }
    #expect(error?.code == .tooLarge)
  }

  @Test(
    arguments: [
      (0, [0]), (-1, [1]), (1, [2]), (-64, [0x7F]), (64, [0x80, 1]),
      (Int64.max, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
      (Int64.min, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
    ] as [(Int64, [UInt8])])
  func `A signed number near 0 has one byte`(value: Int64, bytes: [UInt8]) throws {
    #expect(written { $0.signed(value) } == bytes)
    #expect(try read(bytes) { try $0.signed() } == value)
  }

  @Test func `Numbers of all sizes are decoded as they were encoded`() throws {
    var random = SeededRandom(seed: 1)
    for shift in 0..<64 {
      let value = random.next() >> UInt64(shift)
      #expect(try read(written { $0.number(value) }) { try $0.number() } == value)
    }
  }

  @Test(
    arguments: [
      [0x80, 0], [0xFF, 0x80, 0],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0],
    ] as [[UInt8]])
  func `A number with too many bytes or bits is refused`(bytes: [UInt8]) throws {
    try expect(.malformed) { _ = try read(bytes) { try $0.number() } }
  }

  @Test func `A natural number is at most the largest signed one`() throws {
    let largest = written { $0.number(UInt64(Int64.max)) }
    #expect(try read(largest) { try $0.natural() } == .max)
    let above = written { $0.number(1 << 63) }
    try expect(.malformed) { _ = try read(above) { try $0.natural() } }
  }

  @Test func `Truncated data is refused with its place`() throws {
    let error = try expect(.truncated) {
      _ = try read([7, 0x80]) { reader in
        _ = try reader.byte()
        return try reader.number()
      }
    }
    #expect(error.offset == 2)
    try expect(.truncated) { _ = try read([1, 2, 3, 4, 5, 6, 7]) { try $0.fixed() } }
    try expect(.truncated) { _ = try read([3, 1, 2]) { try $0.block() } }
    try expect(.truncated) { _ = try read([1]) { try $0.raw(2) } }
    try expect(.truncated) { _ = try read([1]) { try $0.raw(-1) } }
  }

  @Test func `A count beyond the remaining bytes is refused before memory is reserved`() throws {
    let bytes = written { $0.number(1 << 62) } + [0, 0, 0]
    try expect(.truncated) { _ = try read(bytes) { try $0.list(of: DeviceID.self) } }
    let huge = written { $0.number(.max) }
    try expect(.truncated) { _ = try read(huge) { try $0.count(ofAtLeast: 0) } }
    try expect(.truncated) {
      _ = try read([2] + Array(repeating: 0, count: 31)) {
        try $0.list(of: DeviceID.self)
      }
    }
  }

  @Test func `A truth value is 0 or 1`() throws {
    #expect(written { $0.flag(true) } + written { $0.flag(false) } == [1, 0])
    #expect(try read([1]) { try $0.flag() })
    #expect(try !read([0]) { try $0.flag() })
    try expect(.malformed) { _ = try read([2]) { try $0.flag() } }
  }

  @Test func `Trailing bytes are refused`() throws {
    let error = try expect(.malformed) { _ = try read([1, 2]) { try $0.byte() } }
    #expect(error.offset == 1)
  }

  @Test func `A text is UTF-8`() throws {
    let bytes = written { $0.text("Öl\u{0}") }
    #expect(bytes == [4, 0xC3, 0x96, 0x6C, 0])
    #expect(try read(bytes) { try $0.text() } == "Öl\u{0}")
    try expect(.malformed) { _ = try read([1, 0xFF]) { try $0.text() } }
  }

  @Test func `A name is printable ASCII`() throws {
    #expect(try read([2, 0x61, 0x20]) { try $0.name() } == "a ")
    for bytes in [[2, 0xC3, 0x96], [1, 0x7F], [1, 0x0A]] as [[UInt8]] {
      let error = try expect(.malformed) { _ = try read(bytes) { try $0.name() } }
      #expect(error.offset == 0)
    }
  }

  @Test func `Lists and optional values are decoded as they were encoded`() throws {
    let devices = [DeviceID.sample(1), .sample(2)]
    let bytes = written {
      $0.list(devices)
      $0.optional(devices.last)
      $0.optional(nil as DeviceID?)
    }
    let (list, value, missing) = try read(bytes) { reader in
      (
        try reader.list(of: DeviceID.self), try reader.optional(DeviceID.self),
        try reader.optional(DeviceID.self)
      )
    }
    #expect(list == devices)
    #expect(value == .sample(2))
    #expect(missing == nil)
  }
}
