/// The encoder of markup in UTF-8.
struct HTMLWriter {
  let context: RenderContext

  /// Appends nodes with their content.
  func write(_ nodes: [HTML.Node], to bytes: inout [UInt8]) {
    for node in nodes {
      switch node {
      case .text(let text): Escaping.write(text, to: &bytes)
      case .raw(let markup): bytes.append(contentsOf: markup.utf8)
      case .element(let element): write(element, to: &bytes)
      case .icon(let name, let text):
        let icons = context.icons
        let icon =
          context.isFramed
          ? icons.inlineMarkup(of: name, insteadOf: text)
          : icons.markup(of: name, insteadOf: text)
        write(icon.nodes, to: &bytes)
      case .region: continue
      }
    }
  }

  private func write(_ element: HTML.Element, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: element.name.utf8)
    for attribute in element.attributes { write(attribute, to: &bytes) }
    bytes.append(UInt8(ascii: ">"))
    if element.isVoid { return }
    if needsNewline(element) { bytes.append(UInt8(ascii: "\n")) }
    write(element.children, to: &bytes)
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: element.name.utf8)
    bytes.append(UInt8(ascii: ">"))
  }

  private func write(_ attribute: HTML.Pair, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: attribute.name.utf8)
    guard let value = attribute.value else { return }
    bytes.append(contentsOf: "=\"".utf8)
    if !context.base.isEmpty, ["href", "src", "action", "formaction"].contains(attribute.name),
      WebAddress.isOfApp(value)
    {
      Escaping.write(context.base, to: &bytes)
    }
    Escaping.write(value, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns whether a newline precedes the content.
  ///
  /// NB: A parser removes the first newline in these elements, so a text that begins with one needs
  /// another.
  private func needsNewline(_ element: HTML.Element) -> Bool {
    guard element.name == "textarea" || element.name == "pre",
      case .text(let text)? = element.children.first
    else { return false }
    return text.utf8.first == UInt8(ascii: "\n")
  }
}

/// The context in which a device serves markup.
struct RenderContext: Sendable {
  /// The available drawings.
  var icons = Icons.system
  /// The path at which the app is mounted, such as `/anyfleet`; empty if it is not. It is put
  /// before the addresses of links and forms for which ``WebAddress/isOfApp(_:)`` is true.
  var base = ""
  /// Whether another page frames the document, as a dock frames a phone.
  var isFramed = false
}

/// The escaping of text, so that parsers do not interpret it as markup, in content and in quoted
/// attributes.
enum Escaping {
  static func write(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { plain in
      var start = 0
      for (index, byte) in plain.enumerated() {
        guard let reference = reference(byte) else { continue }
        bytes.append(contentsOf: plain[start..<index])
        bytes.append(contentsOf: reference.utf8)
        start = index + 1
      }
      bytes.append(contentsOf: plain[start...])
    }
  }

  private static func reference(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    // NB: A parser removes NUL, and converts a carriage return to a newline.
    case 0: "\u{FFFD}"
    case UInt8(ascii: "\r"): "&#13;"
    default: nil
    }
  }
}
