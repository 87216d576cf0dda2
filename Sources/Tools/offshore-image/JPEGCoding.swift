import CJPEG
import Glibc
import OffshoreImages

/// Decoding and encoding of JPEG by libjpeg-turbo.
enum JPEGCoding {
  /// Decodes an image to a size that is not larger.
  ///
  /// The decoder itself scales by eighths, which makes a large photo quick to decode. Only an image
  /// of several scans is in memory as a whole.
  /// - Throws: ``ImageError`` with the code `damaged`.
  static func decode(
    _ bytes: [UInt8], _ header: ImageHeader, to target: ImageSize
  ) throws(ImageError) -> Canvas {
    let canvas = bytes.withUnsafeBufferPointer { bytes -> Canvas? in
      guard let reader = offshore_jpeg_open(bytes.baseAddress, bytes.count) else { return nil }
      defer { offshore_jpeg_close(reader) }
      guard size(reader) == header.size else { return nil }
      let profile = profile(reader)
      let channels = channels(reader)
      guard offshore_jpeg_start(reader, UInt32(eighths(of: header.size, for: target))) != 0
      else { return nil }
      var scaler = RowScaler(from: size(reader), to: target, hasAlpha: false)
      guard scaler.add(rows: size(reader).height, { offshore_jpeg_read_row(reader, $0) != 0 })
      else { return nil }
      return Canvas(
        target, scaler.finish(), hasAlpha: false, channels: channels, profile: profile)
    }
    guard let canvas else { throw .damaged }
    return canvas
  }

  /// Encodes an image without transparent pixels. Returns `nil` if that fails.
  static func encode(_ canvas: Canvas, quality: Int) -> [UInt8]? {
    let result = offshore_jpeg_write(
      canvas.pixels, UInt32(canvas.size.width), UInt32(canvas.size.height), Int32(quality))
    defer { free(result.bytes) }
    guard result.count > 0 else { return nil }
    return Array(UnsafeBufferPointer(start: result.bytes, count: Int(result.count)))
  }

  /// Returns the fewest eighths of a size that are not smaller than another one on any side.
  static func eighths(of size: ImageSize, for target: ImageSize) -> Int {
    (1..<8).first { eighths in
      (size.width * eighths + 7) / 8 >= target.width
        && (size.height * eighths + 7) / 8 >= target.height
    } ?? 8
  }

  private typealias Reader = UnsafeMutablePointer<offshore_jpeg_reader>

  private static func size(_ reader: Reader) -> ImageSize {
    ImageSize(Int(offshore_jpeg_width(reader)), Int(offshore_jpeg_height(reader)))
  }

  private static func profile(_ reader: Reader) -> [UInt8]? {
    let profile = offshore_jpeg_profile(reader)
    defer { free(profile.bytes) }
    guard profile.count > 0 else { return nil }
    return Array(UnsafeBufferPointer(start: profile.bytes, count: Int(profile.count)))
  }

  private static func channels(_ reader: Reader) -> Canvas.Channels {
    switch offshore_jpeg_channels(reader) {
    case offshore_jpeg_gray: .gray
    case offshore_jpeg_cmyk: .inks(isInverted: false)
    case offshore_jpeg_inverted_cmyk: .inks(isInverted: true)
    default: .color
    }
  }
}
