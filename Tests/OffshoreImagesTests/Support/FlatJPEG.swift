/// A JPEG file of 8 by 8 pixels in one color, which is written by hand.
struct FlatJPEG {
  /// The values of the components, such as four inks.
  var values: [UInt8]
  /// Whether Adobe's marker says that nothing is transformed.
  var hasAdobeMarker = true
  /// Whether each component has a scan of its own.
  var hasManyScans = false

  var bytes: [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8]
    if hasAdobeMarker {
      file += TestFiles.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])
    }
    file += TestFiles.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    let components = values.indices.flatMap { index -> [UInt8] in [UInt8(index + 1), 0x11, 0] }
    file += TestFiles.segment(0xC0, [8, 0, 8, 0, 8, UInt8(values.count)] + components)
    // Twelve codes of four bits for the sizes of numbers, and one of one bit for the end of a block.
    let counts: [UInt8] = [0, 0, 0, 12] + [UInt8](repeating: 0, count: 12)
    file += TestFiles.segment(0xC4, [0x00] + counts + Array(0..<12))
    file += TestFiles.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    let scans = hasManyScans ? values.indices.map { [$0] } : [Array(values.indices)]
    for scan in scans { file += bytes(ofScan: scan) }
    return file + [0xFF, 0xD9]
  }

  private func bytes(ofScan components: [Int]) -> [UInt8] {
    let selectors = components.flatMap { index -> [UInt8] in [UInt8(index + 1), 0] }
    let head = TestFiles.segment(0xDA, [UInt8(components.count)] + selectors + [0, 63, 0])
    var bits = components.flatMap { Self.bits(ofBlock: values[$0]) }
    bits += [Bool](repeating: true, count: (8 - bits.count % 8) % 8)
    let data = stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
      let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      return byte == 0xFF ? [0xFF, 0x00] : [byte]
    }
    return head + data
  }

  /// The mean of a block and its end.
  private static func bits(ofBlock value: UInt8) -> [Bool] {
    let mean = (Int(value) - 128) * 8
    let size = Int.bitWidth - abs(mean).leadingZeroBitCount
    let number = mean < 0 ? mean - 1 : mean
    return bits(size, 4) + bits(number, size) + [false]
  }

  private static func bits(_ number: Int, _ count: Int) -> [Bool] {
    (0..<count).reversed().map { number >> $0 & 1 == 1 }
  }
}
