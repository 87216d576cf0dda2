/// Reads the head of an answer from its lines as libcurl hands them on.
///
/// Answers that only say that others follow (<https://www.rfc-editor.org/rfc/rfc9110#section-15.2>) are
/// left out, and so are the fields that come after a body.
struct AnswerHead {
  private(set) var status = 0
  /// After how many seconds it is worth trying again.
  private(set) var retryAfter: Int64?
  private var isRead = false

  /// Takes a line with its end.
  /// - Returns: whether the head is complete with it.
  mutating func take(_ line: [UInt8]) -> Bool {
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
