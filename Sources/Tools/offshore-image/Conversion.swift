import OffshoreImages

/// The way of an image from its bytes to those of the result.
struct Conversion {
  /// An image that was converted.
  struct Result {
    let bytes: [UInt8]
    let type: ImageType
    let size: ImageSize

    /// The facts about the image, as JSON.
    var facts: String {
      #"{"type":"\#(type.rawValue)","width":\#(size.width),"height":\#(size.height)}"#
    }
  }

  private let options: ImageOptions

  init(_ options: ImageOptions) { self.options = options }

  /// Checks an image, decodes and scales it, converts it to sRGB, turns it upright, and encodes it.
  /// - Throws: ``ImageError``.
  func convert(_ bytes: [UInt8]) throws(ImageError) -> Result {
    guard bytes.count <= ImageLimits.byteCount else { throw .tooLarge }
    let header = try ImageHeader(bytes)
    let type = options.type ?? header.type
    var canvas = try decode(bytes, header, to: target(of: header, type))
    canvas.turn(by: header.orientation)
    if type == .jpeg { canvas.flatten() }
    return try encode(canvas, type)
  }

  /// Returns the size of the scaled image, before it is turned upright.
  private func target(of header: ImageHeader, _ type: ImageType) -> ImageSize {
    let isSideways = header.orientation.isSideways
    let upright = isSideways ? header.size.transposed : header.size
    let limit = ImageSize(type.maximumSide, type.maximumSide)
    let target = upright.fitted(into: options.fit ?? limit).fitted(into: limit)
    return isSideways ? target.transposed : target
  }

  private func decode(
    _ bytes: [UInt8], _ header: ImageHeader, to target: ImageSize
  ) throws(ImageError) -> Canvas {
    switch header.type {
    case .jpeg: try JPEGCoding.decode(bytes, header, to: target)
    case .png: try PNGCoding.decode(bytes, header, to: target)
    case .webp: try WebPCoding.decode(bytes, header, to: target)
    }
  }

  /// Encodes an image, with less quality and then a smaller size until it has few enough bytes.
  private func encode(_ canvas: Canvas, _ type: ImageType) throws(ImageError) -> Result {
    var canvas = canvas
    var quality = options.quality
    while true {
      let bytes =
        switch type {
        case .jpeg: JPEGCoding.encode(canvas, quality: quality)
        case .png: PNGCoding.encode(canvas)
        case .webp: WebPCoding.encode(canvas, quality: quality)
        }
      guard let bytes else { throw .notEncoded }
      if bytes.count <= options.maximumByteCount {
        return Result(bytes: bytes, type: type, size: canvas.size)
      }
      if type != .png, quality > Self.leastQuality {
        quality = max(quality - 15, Self.leastQuality)
      } else {
        guard canvas.size.pixelCount > 1 else { throw .notEncoded }
        canvas.shrink(to: smaller(canvas.size, byteCount: bytes.count))
      }
    }
  }

  /// The quality below which a smaller image looks better than a worse one.
  private static let leastQuality = 60

  /// Returns a size for fewer bytes, which are about as many as pixels.
  private func smaller(_ size: ImageSize, byteCount: Int) -> ImageSize {
    let factor = min(
      0.8, (Double(options.maximumByteCount) / Double(byteCount)).squareRoot() * 0.95)
    return ImageSize(
      max(1, Int(Double(size.width) * factor)), max(1, Int(Double(size.height) * factor)))
  }
}

extension ImageError {
  fileprivate static let notEncoded = ImageError(
    .failed, "The scaled image cannot be encoded. Choose another size or type.")
}
