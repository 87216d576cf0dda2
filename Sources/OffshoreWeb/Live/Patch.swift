/// A change of the content that a tab shows.
struct Patch: Sendable, Equatable {
  /// The operation on the target.
  enum Operation: String, Sendable {
    /// Changes the target to the markup, and preserves focus, selection, and text that is being
    /// typed.
    case morph
    /// Inserts the markup after the last child.
    case append
    /// Inserts the markup before the first child.
    case prepend
    /// Removes the target.
    case remove
  }

  let operation: Operation
  /// The id of the element.
  let target: String
  /// The markup; empty for a removal.
  let html: HTML

  init(_ operation: Operation, _ target: String, _ html: HTML = HTML()) {
    self.operation = operation
    self.target = target
    self.html = html
  }

  /// Returns the change as an object for the script: `{"op":"morph","target":"count","html":"…"}`.
  /// - Parameter surroundings: the context in which the device serves the markup.
  func json(for surroundings: HTML.Surroundings = .init()) -> String {
    var bytes: [UInt8] = []
    html.write(to: &bytes, for: surroundings)
    let html = String(decoding: bytes, as: UTF8.self)
    return """
      {"op":\(Self.quoted(operation.rawValue)),"target":\(Self.quoted(target)),\
      "html":\(Self.quoted(html))}
      """
  }

  /// Returns a text as a JSON string (<https://www.rfc-editor.org/rfc/rfc8259#section-7>).
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
