/// A change that turns what a tab shows into what it should show.
struct Patch: Sendable, Equatable {
  /// What is done to the target.
  enum Operation: String, Sendable {
    /// The target becomes what the markup says, and keeps focus, selection, and what is being typed.
    case morph
    /// The markup goes behind the last child.
    case append
    /// The markup goes before the first child.
    case prepend
    /// The target goes away.
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

  /// The change as the script takes it in a list: `{"op":"morph","target":"count","html":"…"}`.
  /// - Parameter surroundings: How the device serves the markup.
  func json(for surroundings: HTML.Surroundings = .init()) -> String {
    var bytes: [UInt8] = []
    html.write(to: &bytes, for: surroundings)
    let html = String(decoding: bytes, as: UTF8.self)
    return """
      {"op":\(Self.quoted(operation.rawValue)),"target":\(Self.quoted(target)),\
      "html":\(Self.quoted(html))}
      """
  }

  /// A JSON string (<https://www.rfc-editor.org/rfc/rfc8259#section-7>).
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
