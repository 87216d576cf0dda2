/// The way in which a stored image has to be turned to be upright, with the numbers of Exif.
package enum ImageOrientation: Int, Sendable, CaseIterable {
  case upright = 1
  case mirrored, upsideDown, flipped, transposed, turnedLeft, transversed, turnedRight

  /// Whether the width of the upright image is the height of the stored one.
  package var isSideways: Bool { rawValue > 4 }

  /// The places of pixels in a stored image, for the upright one: that of the first pixel, and the
  /// distances of the next pixel in the row and of the same pixel in the next row.
  package func steps(in stored: ImageSize) -> (start: Int, across: Int, down: Int) {
    let (width, height) = (stored.width, stored.height)
    return switch self {
    case .upright: (0, 1, width)
    case .mirrored: (width - 1, -1, width)
    case .upsideDown: (width * height - 1, -1, -width)
    case .flipped: ((height - 1) * width, 1, -width)
    case .transposed: (0, width, 1)
    case .turnedLeft: ((height - 1) * width, -width, 1)
    case .transversed: (width * height - 1, -width, -1)
    case .turnedRight: (width - 1, width, -1)
    }
  }
}

/// The orientation in Exif data, which is a TIFF file without an image:
/// <https://www.cipa.jp/std/documents/download_e.html?DC-008-Translation-2023-E>.
enum ExifOrientation {
  /// Parses Exif data with or without the identifier before it.
  static func parse(segment: ArraySlice<UInt8>) -> ImageOrientation? {
    guard ByteReader(segment).has("Exif\0\0", at: 0) else { return parse(tiff: segment) }
    return parse(tiff: segment.dropFirst(6))
  }

  static func parse(tiff: ArraySlice<UInt8>) -> ImageOrientation? {
    let reader = ByteReader(tiff)
    let isLittleEndian = reader.has("II", at: 0)
    guard isLittleEndian || reader.has("MM", at: 0) else { return nil }
    func number(_ size: Int, at place: Int) -> Int? {
      isLittleEndian ? reader.littleEndian(size, at: place) : reader.bigEndian(size, at: place)
    }
    guard number(2, at: 2) == 42, let directory = number(4, at: 4),
      let count = number(2, at: directory)
    else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + index * 12
      guard let tag = number(2, at: entry) else { return nil }
      if tag == orientationTag, number(2, at: entry + 2) == shortType {
        return number(2, at: entry + 8).flatMap { ImageOrientation(rawValue: $0) }
      }
    }
    return nil
  }

  private static let orientationTag = 0x0112
  private static let shortType = 3
}
