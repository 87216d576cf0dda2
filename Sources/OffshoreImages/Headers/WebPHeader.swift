/// The chunks of a WebP file: <https://developers.google.com/speed/webp/docs/riff_container>.
enum WebPHeader {
  static func parse(_ reader: ByteReader) -> ImageHeader? {
    var header: ImageHeader?
    var profile: [UInt8]?
    var orientation: ImageOrientation?
    var place = 12
    while let length = reader.littleEndian(4, at: place + 4) {
      let content = place + 8
      if header == nil {
        header = still(reader, place, whole: reader.count) ?? frame(reader, place, length)
      }
      if reader.has("ICCP", at: place) { profile = reader.part(content, length).map { Array($0) } }
      if reader.has("EXIF", at: place) {
        orientation = reader.part(content, length).flatMap { ExifOrientation.parse(segment: $0) }
      }
      // A chunk begins at an even place.
      place = content + length + length % 2
    }
    header?.profile = profile
    header?.orientation = orientation ?? .upright
    return header
  }

  /// Returns the header of a still image whose pixels are in the chunk at a place.
  private static func still(_ reader: ByteReader, _ place: Int, whole count: Int) -> ImageHeader? {
    guard let size = size(reader, place) else { return nil }
    return ImageHeader(.webp, size, frame: 0..<count)
  }

  /// Returns the size in a chunk of pixels, which has one of two formats.
  private static func size(_ reader: ByteReader, _ place: Int) -> ImageSize? {
    let content = place + 8
    if reader.has("VP8 ", at: place), reader.bigEndian(3, at: content + 3) == 0x9D012A,
      let width = reader.littleEndian(2, at: content + 6),
      let height = reader.littleEndian(2, at: content + 8)
    {
      return ImageSize(width & 0x3FFF, height & 0x3FFF)
    }
    if reader.has("VP8L", at: place), reader.byte(at: content) == 0x2F,
      let sides = reader.littleEndian(4, at: content + 1)
    {
      return ImageSize(sides & 0x3FFF + 1, sides >> 14 & 0x3FFF + 1)
    }
    return nil
  }

  /// Returns the header of an animated image whose first frame is the chunk at a place.
  ///
  /// The first 16 bytes of a frame state its place, its size and its duration.
  private static func frame(_ reader: ByteReader, _ place: Int, _ length: Int) -> ImageHeader? {
    let content = place + 8
    guard reader.has("ANMF", at: place), length > 16, reader.part(content, length) != nil,
      let width = reader.littleEndian(3, at: content + 6),
      let height = reader.littleEndian(3, at: content + 9)
    else { return nil }
    let size = ImageSize(width + 1, height + 1)
    return ImageHeader(.webp, size, frame: content + 16..<content + length)
  }
}
