import TestSupport
import Testing

@testable import OffshoreWire

struct StampCodingTests {
  private func written(_ stamps: [Stamp]) -> (devices: [DeviceID], bytes: [UInt8]) {
    var stampWriter = StampWriter()
    for stamp in stamps { stampWriter.addDevice(of: stamp) }
    var writer = WireWriter()
    for stamp in stamps { stampWriter.write(stamp, to: &writer) }
    return (stampWriter.devices, writer.bytes)
  }

  private func read(_ count: Int, _ devices: [DeviceID], _ bytes: [UInt8]) throws -> [Stamp] {
    var reader = WireReader(bytes)
    var stampReader = StampReader(devices)
    let stamps = try (0..<count).map { _ in try stampReader.read(&reader) }
    try stampReader.finish(reader)
    try reader.finish()
    return stamps
  }

  @Test func `Stamps are decoded as they were encoded`() throws {
    var random = SeededRandom(seed: 70)
    for _ in 0..<50 {
      let stamps = (0..<20).map { _ in random.stamp() }
      let (devices, bytes) = written(stamps)
      #expect(try read(20, devices, bytes) == stamps)
    }
  }

  @Test func `The smallest and largest stamps are preserved`() throws {
    let stamps: [Stamp] = [.at(.max, .max), .at(0, 0), .at(.max, 0, by: 2), .at(0, .max, by: 2)]
    let (devices, bytes) = written(stamps)
    #expect(try read(4, devices, bytes) == stamps)
  }

  @Test func `Devices are listed once, in the order of their first stamp`() {
    let (devices, bytes) = written([.at(1, by: 5), .at(1, by: 3), .at(1, by: 5)])
    #expect(devices == [.sample(5), .sample(3)])
    #expect(bytes == [0, 2, 0, 1, 0, 0, 0, 0, 0])
  }

  @Test func `A time out of range is refused`() throws {
    var writer = WireWriter()
    for milliseconds in [-1, Stamp.range.upperBound + 1, .max, .min] as [Int64] {
      writer = WireWriter()
      writer.byte(0)
      writer.signed(milliseconds)
      writer.byte(0)
      let bytes = writer.bytes
      try expect(.malformed) { _ = try read(1, [.sample(1)], bytes) }
    }
  }

  @Test func `A difference that overflows is refused`() throws {
    var writer = WireWriter()
    for milliseconds in [1, .max] as [Int64] {
      writer.byte(0)
      writer.signed(milliseconds)
      writer.byte(0)
    }
    let bytes = writer.bytes
    try expect(.malformed) { _ = try read(2, [.sample(1)], bytes) }
  }
}

struct RunCodingTests {
  private func written(_ values: [UInt8]) -> [UInt8] {
    var writer = WireWriter()
    writer.runs(values)
    return writer.bytes
  }

  private func read(_ count: Int, _ bytes: [UInt8]) throws -> [UInt8] {
    var reader = WireReader(bytes)
    var values: [UInt8] = []
    try reader.runs(count) { (value, length, _) throws(WireError) in
      values += Array(repeating: value, count: length)
    }
    try reader.finish()
    return values
  }

  @Test func `A run of equal bytes is encoded once with its length`() {
    #expect(written([]) == [])
    #expect(written([7]) == [7, 1])
    #expect(written([7, 7, 7, 8, 7]) == [7, 3, 8, 1, 7, 1])
    #expect(written(Array(repeating: 1, count: 300)) == [1, 0xAC, 2])
  }

  @Test func `Runs are decoded as they were encoded`() throws {
    var random = SeededRandom(seed: 71)
    for _ in 0..<100 {
      let values = (0..<random.number(below: 50)).map { _ in UInt8(random.number(below: 3)) }
      #expect(try read(values.count, written(values)) == values)
    }
  }

  @Test(arguments: [[7, 0], [7, 4], [7, 1, 7, 2], [7, 2, 8, 2]] as [[UInt8]])
  func `Empty, overlong and adjacent equal runs are refused`(bytes: [UInt8]) throws {
    try expect(.malformed) { _ = try read(3, bytes) }
  }
}
