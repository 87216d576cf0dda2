import CLCMS
import CPixels
import OffshoreImages

/// The pixels of an image in memory.
struct Canvas {
  private(set) var size: ImageSize
  /// The pixels by rows. Each has four bytes: blue, green, red and alpha.
  private(set) var pixels: [UInt32]
  /// Whether any pixel is not opaque.
  private(set) var hasAlpha: Bool

  /// The meaning of the four bytes of a decoded pixel.
  enum Channels: Equatable {
    /// Blue, green, red, and alpha or 255.
    case color
    /// The same, of an image without colors.
    case gray
    /// Cyan, magenta, yellow and black; if inverted, 255 is no ink.
    case inks(isInverted: Bool)
  }

  /// Creates a canvas of decoded pixels, and converts them to sRGB.
  /// - Parameters:
  ///   - hasAlpha: whether the fourth byte is alpha.
  ///   - profile: the color profile of the pixels. One that is damaged or describes other channels
  ///     is ignored.
  init(
    _ size: ImageSize, _ pixels: consuming [UInt32], hasAlpha: Bool, channels: Channels = .color,
    profile: [UInt8]? = nil
  ) {
    self.size = size
    // NB: Without `consume`, the caller's array is alive as well, and the first change copies it.
    self.pixels = consume pixels
    self.hasAlpha = hasAlpha
    convert(from: channels, profile)
    if hasAlpha {
      self.hasAlpha = offshore_clear_transparent(&self.pixels, self.pixels.count) != 0
    } else {
      offshore_make_opaque(&self.pixels, self.pixels.count)
    }
  }

  private mutating func convert(from channels: Channels, _ profile: [UInt8]?) {
    let kind =
      switch channels {
      case .color: offshore_lcms_color
      case .gray: offshore_lcms_gray
      case .inks(let isInverted):
        isInverted ? offshore_lcms_inverted_cmyk : offshore_lcms_cmyk
      }
    if let profile,
      offshore_lcms_convert(profile, profile.count, kind, &pixels, pixels.count) != 0
    {
      return
    }
    if case .inks(let isInverted) = channels {
      offshore_mix_inks(&pixels, pixels.count, isInverted ? 1 : 0)
    }
  }

  /// Turns a stored image upright.
  mutating func turn(by orientation: ImageOrientation) {
    guard orientation != .upright else { return }
    let (start, across, down) = orientation.steps(in: size)
    if orientation.isSideways { size = size.transposed }
    var turned = [UInt32](repeating: 0, count: pixels.count)
    offshore_turn(pixels, start, across, down, &turned, size.width, size.height)
    pixels = turned
  }

  /// Puts transparent pixels on white.
  mutating func flatten() {
    guard hasAlpha else { return }
    offshore_flatten(&pixels, pixels.count)
    hasAlpha = false
  }

  /// Scales the image down.
  mutating func shrink(to target: ImageSize) {
    var scaler = RowScaler(from: size, to: target, hasAlpha: hasAlpha)
    let length = size.width * 4
    pixels.withUnsafeBytes { bytes in
      for row in 0..<size.height { scaler.add(bytes[(row * length)..<(row + 1) * length]) }
    }
    pixels = scaler.finish()
    size = target
  }
}
