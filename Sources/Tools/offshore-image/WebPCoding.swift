import CWebP
import OffshoreImages

/// Decoding and encoding of WebP by libwebp.
enum WebPCoding {
  /// Decodes an image to a size that is not larger. A lossless image is in memory as a whole.
  /// - Throws: ``ImageError`` with the code `damaged`.
  static func decode(
    _ bytes: [UInt8], _ header: ImageHeader, to target: ImageSize
  ) throws(ImageError) -> Canvas {
    var pixels = [UInt32](repeating: 0, count: target.pixelCount)
    var hasAlpha: Int32 = 0
    let isDecoded = bytes[header.frame].withUnsafeBufferPointer { bytes in
      offshore_webp_read(
        bytes.baseAddress, bytes.count, Int32(header.size.width), Int32(header.size.height),
        &pixels, Int32(target.width), Int32(target.height), &hasAlpha)
    }
    guard isDecoded != 0 else { throw .damaged }
    return Canvas(target, pixels, hasAlpha: hasAlpha != 0, profile: header.profile)
  }

  /// Encodes an image. Returns `nil` if that fails.
  static func encode(_ canvas: Canvas, quality: Int) -> [UInt8]? {
    var pixels = canvas.pixels
    var count = 0
    let bytes = offshore_webp_write(
      &pixels, Int32(canvas.size.width), Int32(canvas.size.height), Int32(quality), &count)
    guard let bytes else { return nil }
    defer { WebPFree(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}
