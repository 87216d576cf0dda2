/// Markup as a value: a sequence of texts and elements. The texts are escaped when it is written.
///
/// ```swift
/// let list = ul(.class("card")) {
///   for charter in charters { li { a(.href("/charters/\(charter.id)")) { charter.name } } }
/// }
/// ```
///
/// HTML elements are lower-case functions. A ``Component`` combines them. The class `card` is one
/// of those that the stylesheet of all pages has for elements of an app; a ``Card`` is the
/// component with this class.
public struct HTML: Sendable, Equatable {
  /// A piece of markup.
  enum Node: Sendable, Equatable {
    case text(String)
    /// Markup that is written without escaping.
    case raw(String)
    case element(Element)
    /// An icon, or the text in its place if the icon is not among the ``Icons`` when it is written.
    case icon(String, text: String)
    /// The placeholder of a region on a live page, which is replaced before the page is written.
    case region(String)
  }

  /// An element with its attributes and content.
  struct Element: Sendable, Equatable {
    var name: String
    var attributes: [Pair]
    var children: [Node]
    /// Whether it is written without an end tag (<https://html.spec.whatwg.org/#void-elements>).
    var isVoid = false

    /// The value of an attribute, which is empty for one without a value, such as `hidden`.
    subscript(attribute: String) -> String? {
      get { attributes.first { $0.name == attribute }.map { $0.value ?? "" } }
      set {
        attributes.removeAll { $0.name == attribute }
        if let newValue { attributes.append(Pair(name: attribute, value: newValue)) }
      }
    }
  }

  /// An attribute. Its value is `nil` if it has only a name.
  struct Pair: Sendable, Equatable {
    var name: String
    var value: String?
  }

  var nodes: [Node]

  init(nodes: [Node]) { self.nodes = nodes }

  /// Creates markup without content.
  public init() { nodes = [] }

  /// Creates a text, which is escaped when it is written.
  public init(_ text: String) { nodes = [.text(text)] }

  /// Creates the markup of a builder.
  public init(@HTMLBuilder _ content: () -> HTML) { self = content() }

  /// Whether there is no markup.
  package var isEmpty: Bool { nodes.isEmpty }

  /// The markup in UTF-8, with the icons that are installed in the system.
  var bytes: [UInt8] { bytes(for: RenderContext()) }

  /// Returns the markup in UTF-8, for a context in which it is served.
  func bytes(for context: RenderContext) -> [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, for: context)
    return bytes
  }

  /// Appends the markup in UTF-8, in one pass.
  func write(to bytes: inout [UInt8], for context: RenderContext) {
    HTMLWriter(context: context).write(nodes, to: &bytes)
  }

  /// Updates the first element, in the order of the document, that meets a condition.
  /// - Returns: whether there was such an element.
  @discardableResult
  mutating func updateFirst(
    where matches: (Element) -> Bool, _ update: (inout Element) -> Void
  ) -> Bool {
    Self.updateFirst(in: &nodes, where: matches, update)
  }

  private static func updateFirst(
    in nodes: inout [Node], where matches: (Element) -> Bool, _ update: (inout Element) -> Void
  ) -> Bool {
    for index in nodes.indices {
      guard case .element(var element) = nodes[index] else { continue }
      if matches(element) {
        update(&element)
      } else if !updateFirst(in: &element.children, where: matches, update) {
        continue
      }
      nodes[index] = .element(element)
      return true
    }
    return false
  }
}

extension HTML: CustomStringConvertible {
  /// The markup as text, for tests and logs.
  ///
  /// Icons are drawings or texts, as on a page. Mount paths are not put before addresses. The
  /// regions of a ``Tab`` are missing, together with their content: they are written only for a
  /// page in a tab.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// A part of a page that combines markup and is used like an element.
public protocol Component {
  /// The markup of the component.
  @HTMLBuilder var html: HTML { get }
}

/// Markup that is written without escaping. It must never have input of users or other devices.
struct Raw: Component {
  let html: HTML

  /// Creates markup from a text that needs no escaping.
  init(_ markup: String) { html = HTML(nodes: [.raw(markup)]) }
}

/// The size of written markup, without the bytes that escaping adds.
extension HTML {
  /// The number of bytes.
  var size: Int {
    var room = Int.max
    for node in nodes { node.subtractSize(from: &room) }
    return .max - room
  }

  /// Returns whether there are more bytes than a number, without looking at more markup than
  /// necessary.
  func isLarger(than count: Int) -> Bool {
    var room = count
    for node in nodes where room >= 0 { node.subtractSize(from: &room) }
    return room < 0
  }
}

extension HTML.Node {
  fileprivate func subtractSize(from room: inout Int) {
    switch self {
    case .text(let text), .raw(let text): room -= text.utf8.count
    // A drawing is a reference with about this length.
    case .icon(let name, _): room -= 110 + name.utf8.count
    case .region: break
    case .element(let element):
      room -= element.tagSize
      for child in element.children where room >= 0 { child.subtractSize(from: &room) }
    }
  }
}

extension HTML.Element {
  /// The bytes of the start tag, and of the end tag if there is one.
  fileprivate var tagSize: Int {
    let ends = isVoid ? 2 + name.utf8.count : 5 + 2 * name.utf8.count
    return attributes.reduce(ends) { sum, attribute in
      sum + 1 + attribute.name.utf8.count + (attribute.value.map { 3 + $0.utf8.count } ?? 0)
    }
  }
}

/// A builder that combines texts, elements, components, `if`, `switch`, and `for`.
@resultBuilder
public enum HTMLBuilder {
  /// Converts a text, which is escaped when it is written.
  public static func buildExpression(_ text: String) -> HTML { HTML(text) }

  /// Converts a text; `nil` becomes no markup.
  public static func buildExpression(_ text: String?) -> HTML { text.map { HTML($0) } ?? HTML() }

  /// Returns markup as it is.
  public static func buildExpression(_ html: HTML) -> HTML { html }

  /// Returns markup as it is; `nil` becomes no markup.
  public static func buildExpression(_ html: HTML?) -> HTML { html ?? HTML() }

  /// Returns a component's markup.
  public static func buildExpression<Part: Component>(_ component: Part) -> HTML { component.html }

  /// Joins the parts of a block.
  public static func buildBlock(_ parts: HTML...) -> HTML { buildArray(parts) }

  /// Returns a single part, without a copy.
  public static func buildBlock(_ part: HTML) -> HTML { part }

  /// Joins the parts of a loop.
  public static func buildArray(_ parts: [HTML]) -> HTML {
    HTML(nodes: parts.flatMap(\.nodes))
  }

  /// Returns the part of an `if` without `else`, or no markup.
  public static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }

  /// Returns the first branch.
  public static func buildEither(first part: HTML) -> HTML { part }

  /// Returns the second branch.
  public static func buildEither(second part: HTML) -> HTML { part }
}

/// A kind of element, which determines the attributes that the element accepts.
public protocol ElementKind {}

/// An element that can have content. It is called like a function: `p { "Text" }`.
public struct Tag<Kind: ElementKind>: Sendable {
  let name: String

  /// Creates an element.
  ///
  /// - Precondition: The name is that of an HTML element with content, in lower case.
  init(_ name: String) { self.name = name }

  /// Returns the element with attributes and content.
  public func callAsFunction(
    _ attributes: Attribute<Kind>..., @HTMLBuilder content: () -> HTML = { HTML() }
  ) -> HTML {
    HTML(name, attributes, content())
  }
}

/// An element that cannot have content. It is called like a function: `input(.name("city"))`.
public struct VoidTag<Kind: ElementKind>: Sendable {
  let name: String

  init(_ name: String) { self.name = name }

  /// Returns the element with attributes.
  public func callAsFunction(_ attributes: Attribute<Kind>...) -> HTML {
    HTML(name, attributes, nil)
  }
}

extension HTML {
  /// Creates an element, which is void if `content` is `nil`.
  init<Kind>(_ name: String, _ attributes: [Attribute<Kind>], _ content: HTML?) {
    let element = Element(
      // NB: A key path into a generic type would be looked up by name for each element.
      name: name, attributes: Self.merged(attributes.compactMap { $0.pair }),
      children: content?.nodes ?? [], isVoid: content == nil)
    nodes = [.element(element)]
  }

  /// Joins classes, and otherwise retains the last attribute with a name. A parser would use the
  /// first.
  private static func merged(_ pairs: [Pair]) -> [Pair] {
    var merged: [Pair] = []
    merged.reserveCapacity(pairs.count)
    for pair in pairs {
      guard let index = merged.firstIndex(where: { $0.name == pair.name }) else {
        merged.append(pair)
        continue
      }
      if pair.name == "class", let before = merged[index].value, let value = pair.value {
        merged[index].value = "\(before) \(value)"
      } else {
        merged[index] = pair
      }
    }
    return merged
  }
}
