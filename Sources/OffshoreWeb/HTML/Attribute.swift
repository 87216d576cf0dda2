/// An attribute of elements of one kind. The compiler refuses one that an element does not have.
public struct Attribute<Kind: ElementKind>: Sendable {
  /// How it is written, or `nil` where it is left out.
  let pair: HTML.Pair?

  private init(pair: HTML.Pair?) { self.pair = pair }

  init(_ name: String, _ value: String) { pair = HTML.Pair(name: name, value: value) }

  /// An attribute that is there or not, as `required`.
  init(_ name: String, if isPresent: Bool) {
    pair = isPresent ? HTML.Pair(name: name, value: nil) : nil
  }

  /// No attribute, for the other branch of a condition.
  public static var none: Attribute { Attribute(pair: nil) }
}

// MARK: - All elements

extension Attribute {
  /// What names the element on the page, so that patches, links and labels find it.
  ///
  /// An element with an id can be replaced, added, or removed on its own when a live page changes.
  public static func id(_ value: String) -> Attribute { Attribute("id", value) }

  /// Classes, in addition to those that another one lists.
  public static func `class`(_ names: String...) -> Attribute {
    Attribute("class", names.joined(separator: " "))
  }

  /// A class that depends on a condition.
  public static func `class`(_ name: String, if isPresent: Bool) -> Attribute {
    isPresent ? Attribute("class", name) : .none
  }

  /// The language of the content, as a [tag](https://www.rfc-editor.org/rfc/rfc5646).
  public static func lang(_ tag: String) -> Attribute { Attribute("lang", tag) }

  /// What a pointer that rests on the element shows. Never the only place of something that matters.
  public static func title(_ text: String) -> Attribute { Attribute("title", text) }

  /// Whether the element is neither shown nor read out.
  public static func hidden(_ isHidden: Bool = true) -> Attribute {
    Attribute("hidden", if: isHidden)
  }

  /// Whether the element takes the focus when the page opens; one at the most on a page.
  public static func autofocus(_ takesFocus: Bool = true) -> Attribute {
    Attribute("autofocus", if: takesFocus)
  }

  /// Whether the keyboard reaches it: 0 for in its place, -1 for by script and link only.
  public static func tabindex(_ index: Int) -> Attribute { Attribute("tabindex", "\(index)") }

  /// Something for scripts, as `data-name`.
  public static func data(_ name: StaticString, _ value: String) -> Attribute {
    Attribute("data-\(name)", value)
  }

  /// Makes the element a part that opens above the page, by a button with its id as `popovertarget`
  /// (<https://html.spec.whatwg.org/#the-popover-attribute>).
  public static func popover() -> Attribute { Attribute("popover", if: true) }

  /// The purpose of the element, if it is not that of a native element.
  public static func role(_ role: ElementRole) -> Attribute { Attribute("role", role.rawValue) }
}

/// The purpose of an element for assistive technology (<https://www.w3.org/TR/wai-aria-1.2/#role_definitions>).
public enum ElementRole: String, Sendable {
  case alert, checkbox, dialog, group, img, list, listbox, log, note, option, presentation, radio
  case radiogroup, region, search, status, `switch`, tab, tablist, tabpanel, timer
}

// MARK: - Links and pictures

/// Elements that refer to another page or file.
public protocol LinkingElement: ElementKind {}
/// Elements that load something into the page.
public protocol EmbeddingElement: ElementKind {}

extension Attribute where Kind: LinkingElement {
  /// Where the link leads; an address of a scheme that could run a script leads nowhere.
  public static func href(_ address: String) -> Attribute {
    Attribute("href", WebAddress.safe(address))
  }
}

extension Attribute where Kind == AnchorElement {
  /// Names the file under which the browser saves what the link leads to.
  public static func download(_ fileName: String) -> Attribute { Attribute("download", fileName) }

  /// Whether the link opens a tab of its own, so that what is typed here stays. Let its text say so.
  public static func inNewTab(_ isNew: Bool = true) -> Attribute {
    isNew ? Attribute("target", "_blank") : .none
  }
}

extension Attribute where Kind: EmbeddingElement {
  /// What is loaded; an address of a scheme that could run a script loads nothing.
  public static func src(_ address: String) -> Attribute {
    Attribute("src", WebAddress.safe(address))
  }
}

extension Attribute where Kind == FrameElement {
  /// Lets the page be complete without the content of the frame, which is loaded when it is near the window.
  public static func lazy() -> Attribute { Attribute("loading", "lazy") }
  /// The features that the page in the frame may use
  /// (<https://www.w3.org/TR/permissions-policy/#iframe-allow-attribute>).
  public static func allow(_ features: String) -> Attribute { Attribute("allow", features) }
}

extension Attribute where Kind == ImageElement {
  /// What the picture says, empty where it is an ornament.
  public static func alt(_ text: String) -> Attribute { Attribute("alt", text) }

  /// The width in pixels, so that nothing moves when the picture arrives.
  public static func width(_ pixels: Int) -> Attribute { Attribute("width", "\(pixels)") }

  /// The height in pixels.
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
  /// Whether the content shows. A reader's choice outlives patches.
  public static func open(_ isOpen: Bool = true) -> Attribute { Attribute("open", if: isOpen) }
}

extension Attribute where Kind == TimeElement {
  /// The moment or day in the form of ISO 8601.
  public static func datetime(_ value: String) -> Attribute { Attribute("datetime", value) }
}

extension Attribute where Kind == CellElement {
  /// What a heading is the heading of.
  public static func scope(_ scope: CellScope) -> Attribute { Attribute("scope", scope.rawValue) }

  /// How many columns the cell takes.
  public static func colspan(_ count: Int) -> Attribute { Attribute("colspan", "\(count)") }
}

/// What the heading of a table stands over.
public enum CellScope: String, Sendable {
  case col, row, colgroup, rowgroup
}
