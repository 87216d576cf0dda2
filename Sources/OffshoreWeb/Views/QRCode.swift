import CQREncode

/// A [QR code](https://www.iso.org/standard/83389.html) of a text: dark modules on white, in every
/// colour scheme.
public struct QRCode: Component {
  /// The error of a text that cannot be encoded.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The reason, with the remedy.
    public let description: String
  }

  /// The maximum number of bytes of a text in a code: 2,331.
  public static let maximumLength = 2_331

  /// The white modules on each side, which a scanner needs to find the code.
  static let margin = 4

  /// The number of modules on a side.
  let width: Int
  /// The modules by rows; `true` is a dark one.
  let modules: [Bool]
  private let label: String

  /// Creates a code that can be scanned even if 15 % of it are damaged.
  ///
  /// - Parameters:
  ///   - text: the text: 1 to ``maximumLength`` bytes of UTF-8.
  ///   - label: the text alternative of the picture.
  /// - Throws: ``Failure`` if the text is empty or too long, or memory is short.
  public init(_ text: String, label: String) throws(Failure) {
    let bytes = Array(text.utf8)
    guard 1...Self.maximumLength ~= bytes.count else {
      throw Failure(
        description:
          "A QR code holds 1 to \(Self.maximumLength) bytes, not \(bytes.count). Shorten the text.")
    }
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
      throw Failure(description: "The QR code could not be made. Free some memory and try again.")
    }
    defer { QRcode_free(code) }
    width = Int(code.pointee.width)
    // The lowest bit of a module is set if it is dark.
    let bits = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
    modules = bits.map { $0 & 1 == 1 }
    self.label = label
  }

  /// The picture.
  public var html: HTML {
    let side = width + 2 * Self.margin
    return svg(
      .class("qr"), .role(.img), .ariaLabel(label), Attribute("viewBox", "0 0 \(side) \(side)"),
      Attribute("shape-rendering", "crispEdges")
    ) { Raw("<path d=\"\(path)\"/>") }
  }

  /// The path of the dark modules, with each run of a row as one rectangle.
  private var path: String {
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        let start = column
        while column < width, modules[row * width + column] { column += 1 }
        let length = column - start
        if length > 0 {
          path += "M\(start + Self.margin) \(row + Self.margin)h\(length)v1h-\(length)z"
        } else {
          column += 1
        }
      }
    }
    return path
  }
}
