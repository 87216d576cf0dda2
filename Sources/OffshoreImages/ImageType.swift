/// A type of images that ``ImageProgram`` reads and writes.
public enum ImageType: String, Sendable, CaseIterable {
  /// A photo without transparency. Each time it is written, it loses some detail.
  case jpeg
  /// A drawing or a screenshot, without loss of detail.
  case png
  /// A photo or a drawing with transparency. Each time it is written, it loses some detail.
  case webp

  /// Recognizes the type of a file by its first bytes. Files of other types are `nil`.
  public init?(content bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(12))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: PNGHeader.signature) {
      self = .png
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }

  /// The media type, such as `image/png`.
  public var mediaType: String { "image/\(rawValue)" }

  /// The longest side that an image of the type can have, in pixels.
  package var maximumSide: Int {
    switch self {
    case .jpeg: 65_500
    case .png: ImageLimits.side
    case .webp: 16_383
    }
  }
}

/// The limits of images that are read.
package enum ImageLimits {
  /// The largest number of bytes.
  package static let byteCount = 10 << 20
  /// The largest number of pixels.
  package static let pixelCount = 50_000_000
  /// The longest side in pixels.
  package static let side = 65_535
}
