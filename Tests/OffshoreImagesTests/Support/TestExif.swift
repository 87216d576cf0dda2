/// Exif data with an orientation and a place, as cameras write it.
struct TestExif {
  /// A text that only the metadata contains.
  static let secret = "45 48 54 N 15 58 41 E"

  var orientation: UInt16 = 1
  var isLittleEndian = true

  /// The data as a TIFF file.
  var tiff: [UInt8] {
    let secret = Array(Self.secret.utf8) + [0]
    // After the header, a directory of three entries has 42 bytes, and one of two has 30.
    let (places, texts) = (8 + 42, 8 + 42 + 30)
    var bytes = Array((isLittleEndian ? "II" : "MM").utf8) + short(42) + long(8)
    bytes += short(3)
    bytes += entry(0x010E, type: 2, count: secret.count, long(texts))
    bytes += entry(0x0112, type: 3, count: 1, short(orientation) + [0, 0])
    bytes += entry(0x8825, type: 4, count: 1, long(places))
    bytes += long(0)
    bytes += short(2)
    bytes += entry(0x0001, type: 2, count: 2, Array("N\0\0\0".utf8))
    bytes += entry(0x001D, type: 2, count: secret.count, long(texts))
    return bytes + long(0) + secret
  }

  private func entry(_ tag: UInt16, type: UInt16, count: Int, _ value: [UInt8]) -> [UInt8] {
    short(tag) + short(type) + long(count) + value
  }

  private func short(_ value: UInt16) -> [UInt8] {
    ordered([UInt8(value >> 8), UInt8(value & 0xFF)])
  }

  private func long(_ value: Int) -> [UInt8] { ordered(TestPNG.number(value)) }

  private func ordered(_ bytes: [UInt8]) -> [UInt8] { isLittleEndian ? bytes.reversed() : bytes }
}
