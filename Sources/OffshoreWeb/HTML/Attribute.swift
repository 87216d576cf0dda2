/// An attribute for elements of one kind. An element with an attribute of another kind does not
/// compile.
public struct Attribute<Kind: ElementKind>: Sendable {
  /// The name and value, or `nil` if the attribute is left out.
  let pair: HTML.Pair?

  private init(pair: HTML.Pair?) { self.pair = pair }

  init(_ name: String, _ value: String) { pair = HTML.Pair(name: name, value: value) }

  /// Creates an attribute without a value, such as `required`, or none if it is not present.
  init(_ name: String, if isPresent: Bool) {
    pair = isPresent ? HTML.Pair(name: name, value: nil) : nil
  }

  /// No attribute, for the other branch of a condition.
  public static var none: Attribute { Attribute(pair: nil) }
}

// MARK: - All elements

extension Attribute {
  /// Sets the id of the element on the page, to which patches, links and labels refer.
  ///
  /// An element with an id can be replaced, added, or removed separately when a live page changes.
  public static func id(_ value: String) -> Attribute { Attribute("id", value) }

  /// Adds classes to those of the element's other attributes.
  public static func `class`(_ names: String...) -> Attribute {
    Attribute("class", names.joined(separator: " "))
  }

  /// Adds a class if a condition is true.
  public static func `class`(_ name: String, if isPresent: Bool) -> Attribute {
    isPresent ? Attribute("class", name) : .none
  }

  /// Sets the language of the content, as a [tag](https://www.rfc-editor.org/rfc/rfc5646).
  public static func lang(_ tag: String) -> Attribute { Attribute("lang", tag) }

  /// Sets the tooltip, which must not be the only place of important content.
  public static func title(_ text: String) -> Attribute { Attribute("title", text) }

  /// Sets whether the element is neither shown nor read out.
  public static func hidden(_ isHidden: Bool = true) -> Attribute {
    Attribute("hidden", if: isHidden)
  }

  /// Sets whether the element receives the focus when the page opens; at most one on a page.
  public static func autofocus(_ takesFocus: Bool = true) -> Attribute {
    Attribute("autofocus", if: takesFocus)
  }

  /// Sets the order of the focus: 0 for the order of the page, -1 for focus by script or link only.
  public static func tabindex(_ index: Int) -> Attribute { Attribute("tabindex", "\(index)") }

  /// Sets a value for scripts, as `data-name`.
  public static func data(_ name: StaticString, _ value: String) -> Attribute {
    Attribute("data-\(name)", value)
  }

  /// Makes the element a popover, which a button with its id as `popovertarget` opens
  /// (<https://html.spec.whatwg.org/#the-popover-attribute>).
  public static func popover() -> Attribute { Attribute("popover", if: true) }

  /// Sets the role of the element, if a native element does not have it.
  public static func role(_ role: ElementRole) -> Attribute { Attribute("role", role.rawValue) }
}

/// The role of an element for assistive technology
/// (<https://www.w3.org/TR/wai-aria-1.2/#role_definitions>).
public enum ElementRole: String, Sendable {
  case alert, checkbox, dialog, group, img, list, listbox, log, note, option, presentation, radio
  case radiogroup, region, search, status, `switch`, tab, tablist, tabpanel, timer
}

// MARK: - Links and pictures

/// A kind of element that refers to another page or file.
public protocol LinkingElement: ElementKind {}
/// A kind of element that loads content into the page.
public protocol EmbeddingElement: ElementKind {}

extension Attribute where Kind: LinkingElement {
  /// Sets the address of the link. An address whose scheme could run a script is refused.
  public static func href(_ address: String) -> Attribute {
    Attribute("href", WebAddress.safe(address))
  }
}

extension Attribute where Kind == AnchorElement {
  /// Sets the name of the file under which the browser saves the content of the link.
  public static func download(_ fileName: String) -> Attribute { Attribute("download", fileName) }

  /// Sets whether the link opens a new tab, so that typed text stays here. Its text should say so.
  public static func inNewTab(_ isNew: Bool = true) -> Attribute {
    isNew ? Attribute("target", "_blank") : .none
  }
}

extension Attribute where Kind: EmbeddingElement {
  /// Sets the address of the content. An address whose scheme could run a script is refused.
  public static func src(_ address: String) -> Attribute {
    Attribute("src", WebAddress.safe(address))
  }
}

extension Attribute where Kind == FrameElement {
  /// Loads the content of the frame when it is nearly in view. The page is complete without it.
  public static func lazy() -> Attribute { Attribute("loading", "lazy") }
  /// Sets the features that the page in the frame may use
  /// (<https://www.w3.org/TR/permissions-policy/#iframe-allow-attribute>).
  public static func allow(_ features: String) -> Attribute { Attribute("allow", features) }
}

extension Attribute where Kind == ImageElement {
  /// Sets the text alternative of the picture, which is empty for a decoration.
  public static func alt(_ text: String) -> Attribute { Attribute("alt", text) }

  /// Sets the width in pixels, so that nothing moves when the picture arrives.
  public static func width(_ pixels: Int) -> Attribute { Attribute("width", "\(pixels)") }

  /// Sets the height in pixels.
  public static func height(_ pixels: Int) -> Attribute { Attribute("height", "\(pixels)") }
}

extension Attribute where Kind == UseElement {
  static func width(_ length: String) -> Attribute { Attribute("width", length) }
  static func height(_ length: String) -> Attribute { Attribute("height", length) }
}

// MARK: - Document

extension Attribute where Kind == MetaElement {
  static func charset(_ name: String) -> Attribute { Attribute("charset", name) }
  static func name(_ name: String) -> Attribute { Attribute("name", name) }
  static func content(_ value: String) -> Attribute { Attribute("content", value) }
  static func media(_ query: String) -> Attribute { Attribute("media", query) }
}

extension Attribute where Kind == LinkElement {
  static func rel(_ relation: String) -> Attribute { Attribute("rel", relation) }
  static func type(_ type: String) -> Attribute { Attribute("type", type) }
  static func withCredentials() -> Attribute { Attribute("crossorigin", "use-credentials") }
}

extension Attribute where Kind == ScriptElement {
  static func `defer`() -> Attribute { Attribute("defer", if: true) }
}

// MARK: - Other elements

extension Attribute where Kind == DetailsElement {
  /// Sets whether the content is shown. Patches preserve the user's choice.
  public static func open(_ isOpen: Bool = true) -> Attribute { Attribute("open", if: isOpen) }
}

extension Attribute where Kind == TimeElement {
  /// Sets the moment or day in the form of ISO 8601.
  public static func datetime(_ value: String) -> Attribute { Attribute("datetime", value) }
}

extension Attribute where Kind == CellElement {
  /// Sets the cells that a heading describes.
  public static func scope(_ scope: CellScope) -> Attribute { Attribute("scope", scope.rawValue) }

  /// Sets the number of columns that the cell spans.
  public static func colspan(_ count: Int) -> Attribute { Attribute("colspan", "\(count)") }
}

/// The cells that a heading of a table describes.
public enum CellScope: String, Sendable {
  case col, row, colgroup, rowgroup
}
