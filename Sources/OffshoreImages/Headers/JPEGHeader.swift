/// The segments of a JPEG file up to its pixels: <https://www.w3.org/Graphics/JPEG/itu-t81.pdf>,
/// annex B.
enum JPEGHeader {
  static func parse(_ reader: ByteReader) -> ImageHeader? {
    var size: ImageSize?
    var orientation: ImageOrientation?
    var place = 2
    while let marker = nextMarker(reader, &place) {
      if marker == startOfScan || marker == endOfImage { break }
      if isWithoutLength(marker) { continue }
      guard let length = reader.bigEndian(2, at: place), length >= 2 else { return nil }
      if isFrame(marker) {
        guard let height = reader.bigEndian(2, at: place + 3),
          let width = reader.bigEndian(2, at: place + 5)
        else { return nil }
        size = ImageSize(width, height)
      }
      if marker == application1, orientation == nil, let segment = reader.part(place, length) {
        orientation = ExifOrientation.parse(segment: segment.dropFirst(2))
      }
      place += length
    }
    guard let size else { return nil }
    var header = ImageHeader(.jpeg, size, frame: 0..<reader.count)
    header.orientation = orientation ?? .upright
    return header
  }

  private static let startOfScan = 0xDA
  private static let endOfImage = 0xD9
  private static let application1 = 0xE1

  /// Returns the next marker, and moves the place after it. As in libjpeg, bytes between segments are
  /// skipped.
  private static func nextMarker(_ reader: ByteReader, _ place: inout Int) -> Int? {
    var isAfterFill = false
    while let byte = reader.byte(at: place) {
      place += 1
      if isAfterFill, byte != 0, byte != 0xFF { return byte }
      isAfterFill = byte == 0xFF
    }
    return nil
  }

  private static func isWithoutLength(_ marker: Int) -> Bool {
    marker == 0x01 || 0xD0...0xD8 ~= marker
  }

  /// Returns whether a segment states the size. The exceptions are tables and an extension.
  private static func isFrame(_ marker: Int) -> Bool {
    0xC0...0xCF ~= marker && ![0xC4, 0xC8, 0xCC].contains(marker)
  }
}
