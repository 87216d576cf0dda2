/// A kind of element, which determines the attributes that the element accepts.
public protocol ElementKind {}

/// An element with content, which is called like a function.
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

/// An element that never has content, which is called like a function.
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
