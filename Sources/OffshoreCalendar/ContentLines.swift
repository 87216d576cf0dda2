/// The lines of an iCalendar file, each with a name and a value
/// (<https://www.rfc-editor.org/rfc/rfc5545#section-3.1>).
struct ContentLines {
  /// The maximum number of bytes of a line without its end.
  private static let maximumLength = 75

  /// The lines, each ended by CR LF.
  private(set) var text = ""

  /// Appends a line whose value is written as it is.
  mutating func add(_ name: String, _ value: String) { append("\(name):\(value)") }

  /// Appends a line whose value is a text, in which some characters are escaped.
  mutating func add(_ name: String, text value: String) { add(name, Self.escaped(value)) }

  /// Appends a line, folded if it is too long: a space continues the line before. No character is
  /// divided.
  private mutating func append(_ line: String) {
    var length = 0
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if length + size > Self.maximumLength {
        text += "\r\n "
        length = 1
      }
      text.unicodeScalars.append(scalar)
      length += size
    }
    text += "\r\n"
  }

  /// Escapes a text (<https://www.rfc-editor.org/rfc/rfc5545#section-3.3.11>). Line breaks of all
  /// kinds become `\n`; other control characters except for tabs are left out.
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where isAfterReturn: break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        escaped.append(contentsOf: "\\n".unicodeScalars)
      case "\\", ";", ",": escaped.append(contentsOf: ["\\", scalar])
      case "\t": escaped.append(scalar)
      case "\0"..."\u{1F}", "\u{7F}": break
      default: escaped.append(scalar)
      }
      isAfterReturn = scalar == "\r"
    }
    return String(escaped)
  }
}
