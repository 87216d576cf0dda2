/// Markup as a value: a sequence of texts and elements, which is escaped when it is written.
///
/// ```swift
/// let list = ul(.class("card")) {
///   for charter in charters { li { a(.href("/charters/\(charter.id)")) { charter.name } } }
/// }
/// ```
///
/// HTML elements are lower-case functions. A ``Component`` combines them.
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
  public var isEmpty: Bool { nodes.isEmpty }

  /// Changes the first element, in the order of the document, that meets a condition.
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

/// A part of a page that combines markup and is used like an element.
public protocol Component {
  /// The markup of the component.
  @HTMLBuilder var html: HTML { get }
}

/// Markup that is written without escaping. It must never have input of users or other devices.
public struct Raw: Component {
  /// The markup, unchanged.
  public let html: HTML

  /// Creates markup from a text that needs no escaping.
  public init(_ markup: String) { html = HTML(nodes: [.raw(markup)]) }
}
