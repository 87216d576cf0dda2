/// The head of a part: the names of the field and of the file, and the type of the file.
struct PartHead {
  /// The maximum number of bytes.
  static let maximumSize = 4_096

  /// The name of the field.
  let name: String
  /// The name of the file as the client sent it; `nil` for a text field.
  let fileName: String?
  /// The media type of the content in lower case, without parameters, or `nil` if it is not stated.
  let mediaType: String?

  /// Parses the header fields of a part.
  /// - Throws: ``HTTPError`` with 400.
  init(_ bytes: ArraySlice<UInt8>) throws(HTTPError) {
    let headers = try Self.headers(String(decoding: bytes, as: UTF8.self))
    let dispositions = headers.all("Content-Disposition").map { HeaderParameters($0) }
    guard dispositions.count == 1, let disposition = dispositions[0],
      disposition.value == "form-data", let name = disposition["name"]
    else {
      throw HTTPError(
        .badRequest,
        "A part has no name. Send one Content-Disposition with form-data and the name, in which a "
          + "quotation mark is %22.")
    }
    guard disposition["filename*"] == nil else {
      throw HTTPError(
        .badRequest, "The name of a file is encoded. Send it as filename, in UTF-8.")
    }
    self.name = Self.unescaped(name)
    fileName = disposition["filename"].map(Self.unescaped)
    mediaType = headers.mediaType
    try Self.checkEncoding(headers, isFile: fileName != nil)
  }

  /// The error for a head that is too large.
  static let tooLarge = HTTPError(
    .contentTooLarge,
    "The head of a part has more than \(maximumSize) bytes. Shorten the names of field and file.")

  /// Parses header fields. Their lines end with CR LF, except for the last one.
  private static func headers(_ text: String) throws(HTTPError) -> Headers {
    var headers = Headers()
    for line in text.split(separator: "\r\n" as Character, omittingEmptySubsequences: false) {
      let name = line.prefix { $0 != ":" }
      let value = line[name.endIndex...]
      // NB: A line with the boundary, which may have a colon, begins with hyphens.
      guard !value.isEmpty, name.first != "-", Headers.isToken(String(name)),
        !line.utf8.contains(where: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") })
      else {
        throw HTTPError(
          .badRequest,
          "A header field of a part is malformed. Send a name, a colon and a value, and end each "
            + "line with CR LF.")
      }
      headers.appendReceived(String(name), ASCII.trimmed(value.dropFirst()))
    }
    return headers
  }

  private static func checkEncoding(_ headers: Headers, isFile: Bool) throws(HTTPError) {
    let plain = ["7bit", "8bit", "binary"]
    guard headers.all("Content-Transfer-Encoding").allSatisfy({ plain.contains($0.lowercased()) })
    else {
      throw HTTPError(
        .badRequest, "A part has a Content-Transfer-Encoding. Send its bytes as they are.")
    }
    // NB: A file may be of such a type, as a saved page is.
    guard isFile || headers.mediaType?.hasPrefix("multipart/") != true else {
      throw HTTPError(
        .badRequest,
        "A part consists of parts. Send each file as a part with the name of the field.")
    }
  }

  /// Decodes the escapes by which browsers write quotation marks and line breaks in a name. Any
  /// other percent sign is part of the name.
  private static func unescaped(_ name: String) -> String {
    name.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
  }
}

/// The value of a header field with parameters, such as `form-data; name="photo"`.
///
/// A quoted value ends at the next quotation mark. In the form of a browser, a backslash has no
/// special meaning, and a quotation mark is written `%22`
/// (<https://html.spec.whatwg.org/#multipart-form-data>).
struct HeaderParameters {
  /// The value before the first semicolon, in lower case.
  let value: String
  private var parameters: [String: String] = [:]

  /// Parses a value, or returns `nil` if it is malformed or has a parameter twice.
  init?(_ text: String) {
    var rest = text.utf8[...]
    let first = rest.prefix { $0 != UInt8(ascii: ";") }
    value = Self.text(ASCII.trimmed(first)).lowercased()
    rest = rest[first.endIndex...]
    // Each round begins at a semicolon.
    while rest.popFirst() != nil {
      Self.skipSpaces(&rest)
      if rest.isEmpty || rest.first == UInt8(ascii: ";") { continue }
      guard let (name, value) = Self.readParameter(&rest),
        parameters.updateValue(value, forKey: name) == nil
      else { return nil }
    }
  }

  /// The value of a parameter, whose name is in lower case.
  subscript(name: String) -> String? { parameters[name] }

  /// Parses a parameter up to the next semicolon or the end.
  private static func readParameter(
    _ rest: inout Substring.UTF8View
  ) -> (name: String, value: String)? {
    let name = rest.prefix(while: ASCII.isTokenByte)
    rest = rest[name.endIndex...]
    guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = readValue(&rest) else {
      return nil
    }
    return (text(name).lowercased(), value)
  }

  private static func readValue(_ rest: inout Substring.UTF8View) -> String? {
    let isQuoted = rest.first == UInt8(ascii: "\"")
    if isQuoted { rest = rest.dropFirst() }
    let end = isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ";")
    let value = rest.prefix { $0 != end }
    rest = rest[value.endIndex...]
    guard isQuoted else { return text(ASCII.trimmed(value)) }
    guard rest.popFirst() != nil else { return nil }
    skipSpaces(&rest)
    return rest.isEmpty || rest.first == UInt8(ascii: ";") ? text(value) : nil
  }

  private static func skipSpaces(_ rest: inout Substring.UTF8View) {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  private static func text(_ bytes: Substring.UTF8View) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
