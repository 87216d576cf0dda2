import OffshoreHTTP

/// The part of a content that a request asks for
/// (<https://www.rfc-editor.org/rfc/rfc9110#name-range-requests>).
enum ByteRange: Hashable {
  /// The whole content. Also stands for several parts, other units than bytes, and malformed
  /// headers.
  case whole
  case part(Range<Int>)
  /// A part that contains no byte of the content.
  case unsatisfiable

  /// Parses a header field.
  /// - Parameters:
  ///   - header: the value of `Range`, if the request has one.
  ///   - count: the size of the content in bytes.
  init(_ header: String?, of count: Int) {
    guard let header, header.lowercased().hasPrefix("bytes=") else {
      self = .whole
      return
    }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard ends.count == 2, let range = Self.range(ends[0], ends[1], of: count) else {
      self = .whole
      return
    }
    self = range.isEmpty ? .unsatisfiable : .part(range)
  }

  private static func range(_ first: String, _ last: String, of count: Int) -> Range<Int>? {
    if first.isEmpty {
      guard let suffix = number(last) else { return nil }
      return max(count - suffix, 0)..<count
    }
    guard let first = number(first) else { return nil }
    if last.isEmpty { return min(first, count)..<count }
    guard let last = number(last), first <= last else { return nil }
    return min(first, count)..<min(last, count - 1) + 1
  }

  private static func number(_ text: String) -> Int? {
    // A number beyond every content is clamped: it stands for the end.
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return min(Int(text) ?? .max, 1 << 53)
  }
}

/// The part of a blob in the body of a request.
struct UploadPart: Hashable {
  /// The number of bytes before the part.
  let offset: Int
  /// The size of the whole blob in bytes.
  let length: Int
  /// Whether the request names no offset, so that its body is the blob from its first byte.
  let isWhole: Bool

  /// Parses `Upload-Offset` and `Upload-Length`. Without either, the body is the whole blob.
  /// - Throws: `ResourceError` with the code `malformed` if a value is not a number of bytes, if
  ///   the length is missing, or if the body extends beyond it.
  init(_ request: Request) throws(ResourceError) {
    let offset = try Self.number("Upload-Offset", in: request)
    let length = try Self.number("Upload-Length", in: request)
    guard offset == nil || length != nil else {
      throw .malformed("Send the blob's length with each of its parts.", field: "Upload-Length")
    }
    self.offset = offset ?? 0
    isWhole = offset == nil
    let end = self.offset + request.body.count
    self.length = length ?? end
    guard end <= self.length else {
      throw .malformed("The body goes beyond the Upload-Length.", field: "Upload-Length")
    }
  }

  private static func number(
    _ name: String, in request: Request
  ) throws(ResourceError) -> Int? {
    guard let text = request.headers[name] else { return nil }
    guard let number = Int(text), 0...1 << 53 ~= number else {
      throw .malformed("\(name) is a number of bytes.", field: name)
    }
    return number
  }
}
