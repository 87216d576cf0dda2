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
