/// The name under which a browser stores a file, as a header field
/// (<https://www.rfc-editor.org/rfc/rfc6266>).
///
/// The name is safe on all systems: it has no part of a path and no characters that the browser
/// does not show or shows in another order.
struct DownloadName {
  /// The maximum number of bytes of a name, below the 255 bytes that file systems allow, so that
  /// browsers can append a number.
  private static let maximumSize = 200
  /// The characters that are part of paths, or that a system does not allow in names.
  private static let refused = "/\\:*?\"<>|"

  private let name: String

  /// Creates a name from any text.
  init(_ text: String) {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !Self.isInvisible(scalar) {
      scalars.append(Self.refused.unicodeScalars.contains(scalar) ? "-" : scalar)
    }
    // NB: A period at the beginning hides a file, and Windows omits one at the end.
    let name = Self.shortened(Self.trimmed(String(scalars)))
    self.name = name.isEmpty ? "file" : name
  }

  /// The value of `Content-Disposition`: the name in ASCII and, if it has other characters, also
  /// percent-encoded, which browsers prefer.
  var headerValue: String {
    let plain = String(
      decoding: name.unicodeScalars.map { scalar in
        // A browser may decode a percent sign.
        scalar.isASCII && scalar != "%" ? UInt8(ascii: scalar) : UInt8(ascii: "_")
      }, as: UTF8.self)
    let value = "attachment; filename=\"\(plain)\""
    guard plain != name else { return value }
    return "\(value); filename*=UTF-8''\(PercentEncoding.encode(name, allowed: Self.isPlain))"
  }

  /// Shortens the part before the extension.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > maximumSize else { return name }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    // A long text after a period is not an extension.
    let end = name[dot...].utf8.count <= 16 ? name[dot...] : ""
    var beginning = name[..<(end.isEmpty ? name.endIndex : dot)].unicodeScalars
    while beginning.reduce(0, { $0 + UTF8.width($1) }) > maximumSize - end.utf8.count {
      beginning.removeLast()
    }
    return String(beginning) + end
  }

  private static func trimmed(_ name: String) -> String {
    let isEdge = { (scalar: Unicode.Scalar) in scalar == "." || scalar.properties.isWhitespace }
    var scalars = name.unicodeScalars.drop(while: isEdge)
    while let last = scalars.last, isEdge(last) { scalars.removeLast() }
    return String(scalars)
  }

  /// Returns whether a scalar is a control character, a line break, or changes the direction of
  /// text.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }

  /// Returns whether a byte is not encoded
  /// (<https://www.rfc-editor.org/rfc/rfc8187#section-3.2.1>).
  private static func isPlain(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isLetter(byte) || "!#$&+-.^_`|~".utf8.contains(byte)
  }
}

extension Response {
  /// Creates a response with a file that the browser stores instead of showing it.
  ///
  /// ```swift
  /// router.get("export") { _ in
  ///   .download(.bytes(Array(text.utf8)), named: "Übersicht.csv", type: "text/csv; charset=utf-8")
  /// }
  /// ```
  ///
  /// A body of the kind ``Body/file(_:)`` is sent from the disk. No cache stores the response; set
  /// `Cache-Control` to change that.
  ///
  /// - Parameters:
  ///   - body: the content.
  ///   - name: the proposed name of the file, any text. Characters that are not safe in a name are
  ///     replaced or left out.
  ///   - type: the media type, which browsers do not replace by a guess.
  public static func download(_ body: Body, named name: String, type: String) -> Response {
    Response(
      .ok,
      headers: [
        "Content-Type": type, "Content-Disposition": DownloadName(name).headerValue,
        "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
      ],
      body: body)
  }
}
