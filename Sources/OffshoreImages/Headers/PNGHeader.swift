/// The chunks of a PNG file: <https://www.w3.org/TR/png-3/>.
enum PNGHeader {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func parse(_ reader: ByteReader) -> ImageHeader? {
    guard reader.bigEndian(4, at: 8) == 13, reader.has("IHDR", at: 12),
      let width = reader.bigEndian(4, at: 16), let height = reader.bigEndian(4, at: 20)
    else { return nil }
    var header = ImageHeader(.png, ImageSize(width, height), frame: 0..<reader.count)
    header.orientation = orientation(reader) ?? .upright
    return header
  }

  /// Returns the orientation in the chunk `eXIf`, which may be before or after the pixels.
  private static func orientation(_ reader: ByteReader) -> ImageOrientation? {
    var place = signature.count
    while let length = reader.bigEndian(4, at: place), !reader.has("IEND", at: place + 4) {
      if reader.has("eXIf", at: place + 4) {
        return reader.part(place + 8, length).flatMap { ExifOrientation.parse(tiff: $0) }
      }
      // The length, the type and the checksum have four bytes each.
      place += length + 12
    }
    return nil
  }
}
