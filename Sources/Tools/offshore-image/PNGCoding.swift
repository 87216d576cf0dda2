import CPNG
import Glibc
import OffshoreImages

/// Decoding and encoding of PNG by libpng.
enum PNGCoding {
  /// Decodes an image to a size that is not larger. Only an interlaced image is in memory as a whole.
  /// - Throws: ``ImageError`` with the code `damaged`.
  static func decode(
    _ bytes: [UInt8], _ header: ImageHeader, to target: ImageSize
  ) throws(ImageError) -> Canvas {
    let canvas = bytes.withUnsafeBufferPointer { bytes -> Canvas? in
      guard
        let reader = offshore_png_open(bytes.baseAddress, bytes.count, UInt32(ImageLimits.side))
      else { return nil }
      defer { offshore_png_close(reader) }
      guard offshore_png_width(reader) == header.size.width,
        offshore_png_height(reader) == header.size.height
      else { return nil }
      // NB: The start changes the facts about the image to those about the decoded rows.
      let hasAlpha = offshore_png_has_alpha(reader) != 0
      let isGray = offshore_png_is_gray(reader) != 0
      var scaler = RowScaler(from: header.size, to: target, hasAlpha: hasAlpha)
      let passes = offshore_png_start(reader)
      guard passes > 0, read(reader, header.size, passes: Int(passes), &scaler) else { return nil }
      return Canvas(
        target, scaler.finish(), hasAlpha: hasAlpha,
        channels: isGray ? .gray : .color,
        profile: profile(reader))
    }
    guard let canvas else { throw .damaged }
    return canvas
  }

  /// Encodes an image. Returns `nil` if that fails.
  static func encode(_ canvas: Canvas) -> [UInt8]? {
    var result = offshore_png_bytes()
    let isWritten = offshore_png_write(
      canvas.pixels, UInt32(canvas.size.width), UInt32(canvas.size.height),
      canvas.hasAlpha ? 1 : 0, &result)
    defer { free(result.bytes) }
    guard isWritten != 0 else { return nil }
    return Array(UnsafeBufferPointer(start: result.bytes, count: result.count))
  }

  private typealias Reader = UnsafeMutablePointer<offshore_png_reader>

  /// Reads all rows. Returns `false` if the image is damaged.
  private static func read(
    _ reader: Reader, _ size: ImageSize, passes: Int, _ scaler: inout RowScaler
  ) -> Bool {
    guard passes > 1 else {
      return scaler.add(rows: size.height) { offshore_png_read_row(reader, $0) != 0 }
    }
    // Each pass adds pixels to rows that were read before.
    let length = size.width * 4
    var rows = [UInt8](repeating: 0, count: size.height * length)
    return rows.withUnsafeMutableBufferPointer { rows in
      for _ in 0..<passes {
        for row in 0..<size.height {
          guard offshore_png_read_row(reader, rows.baseAddress.map { $0 + row * length }) != 0
          else { return false }
        }
      }
      for row in 0..<size.height {
        scaler.add(UnsafeRawBufferPointer(rows)[(row * length)..<(row + 1) * length])
      }
      return true
    }
  }

  private static func profile(_ reader: Reader) -> [UInt8]? {
    var count: UInt32 = 0
    guard let profile = offshore_png_profile(reader, &count) else { return nil }
    return Array(UnsafeBufferPointer(start: profile, count: Int(count)))
  }
}
