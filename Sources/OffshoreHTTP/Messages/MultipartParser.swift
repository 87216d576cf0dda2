import Foundation

/// A parser of `multipart/form-data`, the encoding of forms with files.
///
/// The grammar is that of [RFC 7578](https://www.rfc-editor.org/rfc/rfc7578) and
/// [RFC 2046](https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1), with names as the
/// [HTML standard](https://html.spec.whatwg.org/#multipart-form-data) escapes them. Forms that
/// another program could interpret differently are refused.
///
/// The time is linear: a delimiter begins with its only carriage return, so a byte is compared at
/// most twice.
struct MultipartParser {
  private let body: [UInt8]
  /// A line break, two hyphens, and the boundary.
  private let delimiter: [UInt8]
  private let limits: FormData.Limits
  /// The offset of the first byte that is not parsed yet.
  private var position = 0
  private var fields = Fields()
  private var files: [FormData.File] = []
  /// The number of files, including the fields without a chosen one.
  private var fileCount = 0

  /// Parses a form.
  /// - Parameter contentType: the content type of the form, with the boundary.
  /// - Throws: ``HTTPError`` with 400 or 413.
  static func parse(
    _ body: [UInt8], contentType: String, limits: FormData.Limits
  ) throws(HTTPError) -> FormData {
    let delimiter = try makeDelimiter(contentType)
    var parser = MultipartParser(body: body, delimiter: delimiter, limits: limits)
    return try parser.parse()
  }

  private mutating func parse() throws(HTTPError) -> FormData {
    try skipPreamble()
    while try beginPart() {
      let head = try readHead()
      let content = try readContent()
      try add(head, content)
    }
    return FormData(fields: fields, files: files)
  }

  // MARK: - Boundaries

  private static let marks = Array("'()+_,-./:=? ".utf8)

  /// Returns the delimiter of the parts
  /// (<https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1>).
  private static func makeDelimiter(_ contentType: String) throws(HTTPError) -> [UInt8] {
    guard let boundary = HeaderParameters(contentType)?["boundary"],
      1...70 ~= boundary.utf8.count, boundary.utf8.last != UInt8(ascii: " "),
      boundary.utf8.allSatisfy({ byte in
        ASCII.isDigit(byte) || ASCII.isLetter(byte) || marks.contains(byte)
      })
    else {
      throw HTTPError(
        .badRequest,
        "The content type of the form needs a boundary of 1 to 70 characters. Send the content "
          + "type that was created with the body.")
    }
    return Array("\r\n--\(boundary)".utf8)
  }

  /// Skips the text before the first delimiter, which browsers do not send.
  private mutating func skipPreamble() throws(HTTPError) {
    let first = delimiter.dropFirst(2)
    if body.starts(with: first) {
      position = first.count
    } else {
      guard let start = offset(of: delimiter, in: 0..<body.count) else { throw Self.incomplete }
      position = start + delimiter.count
    }
  }

  /// Consumes the rest of a delimiter's line.
  /// - Returns: whether a part follows; otherwise the rest of the body is ignored.
  private mutating func beginPart() throws(HTTPError) -> Bool {
    let isLast = body[position...].starts(with: "--".utf8)
    if isLast { position += 2 }
    let padding = body[position...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    position = padding.endIndex
    if position == body.count {
      guard isLast else { throw Self.incomplete }
      return false
    }
    guard body[position...].starts(with: "\r\n".utf8) else {
      throw HTTPError(
        .badRequest,
        "A line with the boundary has other text. Use a boundary that no part contains, and end "
          + "the line with CR LF.")
    }
    position += 2
    return !isLast
  }

  // MARK: - Parts

  private static let endOfHead = Array("\r\n\r\n".utf8)

  /// Parses the head of a part, and stops at the empty line after it.
  private mutating func readHead() throws(HTTPError) -> PartHead {
    let end = min(body.count, position + PartHead.maximumSize + Self.endOfHead.count)
    guard let found = offset(of: Self.endOfHead, in: position..<end) else {
      throw end < body.count ? PartHead.tooLarge : Self.incomplete
    }
    defer { position = found + 2 }
    return try PartHead(body[position..<found])
  }

  /// Consumes the content of a part and the delimiter after it.
  ///
  /// NB: If there is no content, the empty line may belong to the delimiter.
  private mutating func readContent() throws(HTTPError) -> ArraySlice<UInt8> {
    guard let end = offset(of: delimiter, in: position..<body.count) else {
      throw Self.incomplete
    }
    defer { position = end + delimiter.count }
    return body[min(position + 2, end)..<end]
  }

  private mutating func add(_ head: PartHead, _ content: ArraySlice<UInt8>) throws(HTTPError) {
    guard let fileName = head.fileName else { return try addField(head.name, content) }
    guard fileCount < limits.maximumFiles else {
      throw HTTPError(
        .contentTooLarge, "The form has more than \(limits.maximumFiles) files. Choose fewer.")
    }
    fileCount += 1
    // Browsers send this for a field without a chosen file.
    if fileName.isEmpty, content.isEmpty { return }
    let file = FormData.File(
      name: head.name, claimedName: fileName, mediaType: head.mediaType, bytes: content)
    guard content.count <= limits.maximumFileSize else {
      throw HTTPError(
        .contentTooLarge,
        "“\(file.fileName)” has more than \(limits.maximumFileSize) bytes. Choose a smaller file.")
    }
    files.append(file)
  }

  private mutating func addField(_ name: String, _ content: ArraySlice<UInt8>) throws(HTTPError) {
    guard fields.items.count < limits.maximumFields else {
      throw HTTPError(
        .contentTooLarge, "The form has more than \(limits.maximumFields) fields. Send fewer.")
    }
    guard content.count <= limits.maximumFieldSize else {
      throw HTTPError(
        .contentTooLarge,
        "A text has more than \(limits.maximumFieldSize) bytes. Shorten it, or send it as a file.")
    }
    fields.items.append(
      Fields.Item(name: name, value: String(decoding: content, as: UTF8.self)))
  }

  // MARK: - Bytes

  private static let incomplete = HTTPError(
    .badRequest, "The form ends before its last boundary. Send it again, as a whole.")

  /// Returns the offset of the first occurrence of a pattern that begins with a carriage return.
  private func offset(of pattern: [UInt8], in range: Range<Int>) -> Int? {
    body.withUnsafeBytes { bytes in
      var start = range.lowerBound
      while start < range.upperBound {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<range.upperBound])
        guard let base = rest.baseAddress,
          let found = memchr(base, Int32(UInt8(ascii: "\r")), rest.count)
        else { return nil }
        start += UnsafeRawPointer(found) - base
        if bytes[start..<range.upperBound].starts(with: pattern) { return start }
        start += 1
      }
      return nil
    }
  }
}
