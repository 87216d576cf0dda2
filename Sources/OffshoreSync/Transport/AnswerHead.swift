/// The head of an answer, parsed from its lines as libcurl delivers them.
///
/// Informational answers, which precede another one
/// (<https://www.rfc-editor.org/rfc/rfc9110#section-15.2>), are ignored. So are the fields that
/// follow a body.
struct AnswerHead {
  private(set) var status = 0
  /// The number of seconds to wait before a retry, if the server requests a delay.
  private(set) var retryAfter: Int64?
  private var isRead = false

  /// Parses a line, which includes its end.
  /// - Returns: whether the line completes the head.
  mutating func parse(_ line: [UInt8]) -> Bool {
    guard !isRead else { return false }
    let text = String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
    if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ")
      (status, retryAfter) = (words.count > 1 ? Int(words[1]) ?? 0 : 0, nil)
    } else if text.isEmpty {
      isRead = status >= 200
      return isRead
    } else if let colon = text.firstIndex(of: ":"),
      text[..<colon].lowercased() == "retry-after"
    {
      retryAfter = Int64(text[colon...].dropFirst().filter { $0 != " " })
    }
    return false
  }
}
