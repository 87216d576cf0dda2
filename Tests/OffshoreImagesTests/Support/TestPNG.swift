import CZlib
import OffshoreImages

/// A PNG file that is written by hand.
struct TestPNG {
  /// A kind of pixels, as the color type and the bits of a sample state it.
  struct Kind {
    let colorType: UInt8
    let depth: UInt8
    let bitsPerPixel: Int

    static let bitmap = Kind(colorType: 0, depth: 1, bitsPerPixel: 1)
    static let gray = Kind(colorType: 0, depth: 8, bitsPerPixel: 8)
    static let grayAlpha = Kind(colorType: 4, depth: 8, bitsPerPixel: 16)
    static let rgb = Kind(colorType: 2, depth: 8, bitsPerPixel: 24)
    static let rgb16 = Kind(colorType: 2, depth: 16, bitsPerPixel: 48)
    static let palette = Kind(colorType: 3, depth: 8, bitsPerPixel: 8)
    static let rgba = Kind(colorType: 6, depth: 8, bitsPerPixel: 32)
  }

  typealias Chunk = (name: String, content: [UInt8])

  let size: ImageSize
  var kind = Kind.rgb
  var isInterlaced = false
  /// Chunks between the header and the pixels.
  var before: [Chunk] = []
  /// Chunks after the pixels.
  var after: [Chunk] = []
  /// The bytes of a pixel, in the order of the file.
  var pixel: (_ x: Int, _ y: Int) -> [UInt8] = { _, _ in [] }

  /// The file.
  var bytes: [UInt8] {
    Self.file([header] + before + [("IDAT", Self.deflated(rows))] + after)
  }

  /// The file, with empty pixels: all bits are zero.
  var bytesOfEmptyPixels: [UInt8] {
    let row = (size.width * kind.bitsPerPixel + 7) / 8 + 1
    let rows = [UInt8](repeating: 0, count: row * size.height)
    return Self.file([header] + before + [("IDAT", Self.deflated(rows))] + after)
  }

  private var header: Chunk {
    let sides = Self.number(size.width) + Self.number(size.height)
    return ("IHDR", sides + [kind.depth, kind.colorType, 0, 0, isInterlaced ? 1 : 0])
  }

  /// The rows with their filters, for each of the passes.
  private var rows: [UInt8] {
    let passes = isInterlaced ? Self.passes : [(0, 1, 0, 1)]
    var rows: [UInt8] = []
    for (left, across, top, down) in passes where left < size.width {
      for y in stride(from: top, to: size.height, by: down) {
        rows.append(0)
        for x in stride(from: left, to: size.width, by: across) { rows += pixel(x, y) }
      }
    }
    return rows
  }

  /// The first column, the step to the next, the first row, and the step to the next.
  private static let passes = [
    (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
    (0, 1, 1, 2),
  ]

  // MARK: - Files of chunks

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func file(_ chunks: [Chunk]) -> [UInt8] {
    (chunks + [("IEND", [])]).reduce(into: signature) { file, chunk in
      let content = Array(chunk.name.utf8) + chunk.content
      file += number(chunk.content.count) + content
      file += number(Int(crc32(0, content, uInt(content.count))))
    }
  }

  /// Returns a file with correct checksums of its chunks, as far as these are whole.
  static func withChecksums(_ file: [UInt8]) -> [UInt8] {
    var file = file
    var place = signature.count
    while place + 12 <= file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + length
      guard end + 4 <= file.count else { break }
      let content = Array(file[place + 4..<end])
      file.replaceSubrange(end..<end + 4, with: number(Int(crc32(0, content, uInt(content.count)))))
      place = end + 4
    }
    return file
  }

  /// Compresses bytes, as in pixels and color profiles.
  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(uLong(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(count))
    compress2(&result, &count, bytes, uLong(bytes.count), 6)
    return Array(result[..<Int(count)])
  }

  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

extension TestPNG {
  /// An image of two gradients, in which each pixel has another color.
  static func gradient(_ width: Int, _ height: Int) -> TestPNG {
    TestPNG(size: ImageSize(width, height)) { x, y in
      [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) % 256)]
    }
  }

  /// An image of noise, which cannot be compressed.
  static func noise(_ width: Int, _ height: Int) -> TestPNG {
    TestPNG(size: ImageSize(width, height)) { x, y in
      let mixed = UInt64(y * width + x + 1) &* 0x9E37_79B9_7F4A_7C15
      return [UInt8(mixed >> 56), UInt8(mixed >> 48 & 0xFF), UInt8(mixed >> 40 & 0xFF)]
    }
  }
}
