extension HTML {
  /// The markup in UTF-8, with the icons that are installed in the system.
  public var bytes: [UInt8] { bytes(with: .system) }

  /// Returns the markup in UTF-8.
  func bytes(with icons: Icons) -> [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, with: icons)
    return bytes
  }

  /// Appends the markup in UTF-8, in one pass.
  public func write(to bytes: inout [UInt8], with icons: Icons = .system) {
    write(to: &bytes, for: Surroundings(icons: icons))
  }

  /// Appends the markup in UTF-8, for a context in which it is served.
  func write(to bytes: inout [UInt8], for surroundings: Surroundings) {
    Self.write(nodes, to: &bytes, surroundings)
  }

  /// The context in which a device serves markup.
  struct Surroundings: Sendable {
    /// The available drawings.
    var icons = Icons.system
    /// The path at which the app is mounted, such as `/anyfleet`; empty if it is not. It is written
    /// before the addresses of the app's own pages.
    var base = ""
    /// Whether another page frames the document, as a dock frames a phone.
    var isFramed = false
  }

  private static func write(
    _ nodes: [Node], to bytes: inout [UInt8], _ surroundings: Surroundings
  ) {
    for node in nodes {
      switch node {
      case .text(let text): Escaping.write(text, to: &bytes)
      case .raw(let markup): bytes.append(contentsOf: markup.utf8)
      case .element(let element): write(element, to: &bytes, surroundings)
      case .icon(let name, let text):
        let icons = surroundings.icons
        let icon =
          surroundings.isFramed
          ? icons.drawn(name, insteadOf: text) : icons.markup(of: name, insteadOf: text)
        write(icon.nodes, to: &bytes, surroundings)
      case .region: continue
      }
    }
  }

  private static func write(
    _ element: Element, to bytes: inout [UInt8], _ surroundings: Surroundings
  ) {
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: element.name.utf8)
    for attribute in element.attributes { write(attribute, surroundings.base, to: &bytes) }
    bytes.append(UInt8(ascii: ">"))
    if element.isVoid { return }
    if needsNewline(element) { bytes.append(UInt8(ascii: "\n")) }
    write(element.children, to: &bytes, surroundings)
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: element.name.utf8)
    bytes.append(UInt8(ascii: ">"))
  }

  private static func write(_ attribute: Pair, _ base: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: attribute.name.utf8)
    guard let value = attribute.value else { return }
    bytes.append(contentsOf: "=\"".utf8)
    if !base.isEmpty, ["href", "action", "formaction"].contains(attribute.name),
      WebAddress.isOfApp(value)
    {
      Escaping.write(base, to: &bytes)
    }
    Escaping.write(value, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns whether a newline precedes the content.
  ///
  /// NB: A parser removes the first newline in these elements, so a text that begins with one needs
  /// another.
  private static func needsNewline(_ element: Element) -> Bool {
    guard element.name == "textarea" || element.name == "pre",
      case .text(let text)? = element.children.first
    else { return false }
    return text.utf8.first == UInt8(ascii: "\n")
  }
}

extension HTML: CustomStringConvertible {
  /// The markup as text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
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
