/// The wanted size, type and quality of an image.
public struct ImageOptions: Hashable, Sendable {
  /// The box that the upright image has to fit into; `nil` retains the size.
  ///
  /// The proportions stay, and a smaller image is not enlarged. Each side of the box is at least 1.
  /// An image that is larger than its type allows is scaled in any case: WebP has at most 16,383
  /// pixels on a side.
  public var fit: ImageSize?
  /// The wanted type; `nil` retains the type of the given image.
  public var type: ImageType?
  /// The quality of JPEG and WebP, from 1 to 100. It has no effect on PNG.
  public var quality: Int
  /// The largest number of bytes, from 1 KiB to 10 MiB.
  ///
  /// If the image would be larger, its quality is reduced, and then its size.
  public var maximumByteCount: Int

  /// The values that the properties are limited to.
  package static let qualities = 1...100
  package static let byteCounts = 1_024...ImageLimits.byteCount

  /// Creates options. Values outside of their ranges have the effect of the nearest valid value.
  /// - Parameters:
  ///   - fit: the box that the upright image has to fit into, or `nil` for its own size.
  ///   - type: the wanted type, or `nil` for that of the given image.
  ///   - quality: the quality of JPEG and WebP, from 1 to 100.
  ///   - maximumByteCount: the largest number of bytes of the result, from 1 KiB to 10 MiB.
  public init(
    fit: ImageSize? = nil, type: ImageType? = nil, quality: Int = 82,
    maximumByteCount: Int = 10 << 20
  ) {
    self.fit = fit
    self.type = type
    self.quality = quality
    self.maximumByteCount = maximumByteCount
  }

  /// The largest number of bytes, within its range.
  var limitedByteCount: Int { Self.byteCounts.nearest(maximumByteCount) }

  /// The arguments of `offshore-image`.
  package var arguments: [String] {
    var arguments = [
      "--type", type?.rawValue ?? "same", "--quality", "\(Self.qualities.nearest(quality))",
      "--bytes", "\(limitedByteCount)",
    ]
    if let fit {
      let sides = 1...ImageLimits.side
      let box = ImageSize(sides.nearest(fit.width), sides.nearest(fit.height))
      arguments += ["--fit", "\(box)"]
    }
    return arguments
  }
}

extension ClosedRange<Int> {
  fileprivate func nearest(_ value: Int) -> Int {
    Swift.min(Swift.max(value, lowerBound), upperBound)
  }
}
