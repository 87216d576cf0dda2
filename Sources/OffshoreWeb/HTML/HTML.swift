/// Markup as a value: a run of texts and elements, escaped when it is written.
///
/// ```swift
/// let list = ul(.class("card")) {
///   for charter in charters { li { a(.href("/charters/\(charter.id)")) { charter.name } } }
/// }
/// ```
///
/// Native elements are lower-case functions. What an app puts together from them is a ``Component``.
public struct HTML: Sendable, Equatable {
  /// A piece of markup.
  enum Node: Sendable, Equatable {
    case text(String)
    /// Written as it is.
    case raw(String)
    case element(Element)
    /// An icon, or the text in its place if it is not among the ``Icons`` at hand when it is written.
    case icon(String, text: String)
    /// Where a region of a live page goes; it writes nothing until the region is put in.
    case region(String)
  }

  /// An element with its attributes and content.
  struct Element: Sendable, Equatable {
    var name: String
    var attributes: [Pair]
    var children: [Node]
    /// Whether it is written without an end tag (<https://html.spec.whatwg.org/#void-elements>).
    var isVoid = false

    /// The value of an attribute; of one without a value, such as `hidden`, the empty string.
    subscript(attribute: String) -> String? {
      get { attributes.first { $0.name == attribute }.map { $0.value ?? "" } }
      set {
        attributes.removeAll { $0.name == attribute }
        if let newValue { attributes.append(Pair(name: attribute, value: newValue)) }
      }
    }
  }

  /// An attribute as it is written; a value of `nil` stands for one that has only a name.
  struct Pair: Sendable, Equatable {
    var name: String
    var value: String?
  }

  var nodes: [Node]

  init(nodes: [Node]) { self.nodes = nodes }

  /// Nothing.
  public init() { nodes = [] }

  /// Text, which is escaped when it is written.
  public init(_ text: String) { nodes = [.text(text)] }

  /// What a builder lists.
  public init(@HTMLBuilder _ content: () -> HTML) { self = content() }

  /// Whether there is nothing to write.
  public var isEmpty: Bool { nodes.isEmpty }

  /// Changes the first element, in the order of the document, that meets a condition.
  /// - Returns: whether there was one.
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

/// Something that an app puts together from markup, to be used like an element.
public protocol Component {
  /// What it looks like.
  @HTMLBuilder var html: HTML { get }
}

/// Markup that is written as it is. Never make it from what a person or another device sent.
public struct Raw: Component {
  /// The markup, unchanged.
  public let html: HTML

  /// Marks text as markup that needs no escaping.
  public init(_ markup: String) { html = HTML(nodes: [.raw(markup)]) }
}
