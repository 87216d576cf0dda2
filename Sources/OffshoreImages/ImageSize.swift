/// The width and the height of an image, in pixels.
public struct ImageSize: Hashable, Sendable, CustomStringConvertible {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int

  /// Creates a size.
  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  /// The sides, such as `640x480`.
  public var description: String { "\(width)x\(height)" }

  /// The number of pixels. The sides are at most ``ImageLimits/side``.
  package var pixelCount: Int { width * height }

  /// The size with its sides exchanged.
  package var transposed: ImageSize { ImageSize(height, width) }

  /// Returns the largest size with the same proportions that fits into a box, and that is not larger
  /// than this one. Each side has at least one pixel.
  package func fitted(into box: ImageSize) -> ImageSize {
    guard width > box.width || height > box.height else { return self }
    if width * box.height >= height * box.width {
      return ImageSize(box.width, Self.scaled(height, by: box.width, of: width))
    }
    return ImageSize(Self.scaled(width, by: box.height, of: height), box.height)
  }

  /// Returns a side times a fraction, rounded, and at least 1.
  private static func scaled(_ side: Int, by numerator: Int, of denominator: Int) -> Int {
    max(1, (side * numerator + denominator / 2) / denominator)
  }
}
