/// The facts about an image that its file states before the pixels.
///
/// They are parsed without any C library, so that a file is refused by its type or size before a
/// decoder reads it. A decoder has to agree with them.
package struct ImageHeader: Equatable, Sendable {
  package var type: ImageType
  /// The size of the stored image, before it is turned upright.
  package var size: ImageSize
  /// The way to turn the stored image upright.
  package var orientation = ImageOrientation.upright
  /// The bytes of the still image: the whole file, or the first frame of an animated WebP image.
  package var frame: Range<Int>
  /// The color profile of a WebP image. Those of the other types are parsed by their decoders.
  package var profile: [UInt8]?

  /// Parses a file.
  /// - Throws: ``ImageError``: `wrongType`, `damaged`, `tooManyPixels`.
  package init(_ bytes: [UInt8]) throws(ImageError) {
    guard let type = ImageType(content: bytes) else { throw .wrongType }
    let reader = ByteReader(bytes[...])
    let found =
      switch type {
      case .jpeg: JPEGHeader.parse(reader)
      case .png: PNGHeader.parse(reader)
      case .webp: WebPHeader.parse(reader)
      }
    guard let found, found.size.width > 0, found.size.height > 0 else { throw .damaged }
    self = found
    guard max(size.width, size.height) <= ImageLimits.side,
      size.pixelCount <= ImageLimits.pixelCount
    else { throw .tooManyPixels }
  }

  init(_ type: ImageType, _ size: ImageSize, frame: Range<Int>) {
    self.type = type
    self.size = size
    self.frame = frame
  }
}
