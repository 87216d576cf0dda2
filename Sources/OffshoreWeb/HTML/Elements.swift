// The HTML elements of pages and their attributes; those of forms are in `FormElements.swift`.
// There is no `style`, and a `script` only refers to a file, because the content security policy
// forbids anything else.

/// The kind of elements that accept only the global attributes, such as `id` and `class`.
public enum PlainElement: ElementKind {}

/// A kind of element that refers to another page or file, as ``AnchorElement`` does. It accepts the
/// attribute `href`.
public protocol LinkingElement: ElementKind {}

/// A kind of element that loads content into the page, as ``FrameElement`` does. It accepts the
/// attribute `src`.
public protocol EmbeddingElement: ElementKind {}

extension Attribute where Kind: LinkingElement {
  /// Sets the address of the link.
  ///
  /// The address is relative or has the scheme `http`, `https`, `mailto` or `tel`. Any other scheme
  /// could run a script, so the address is replaced by `about:invalid`.
  ///
  /// If the app is mounted, its mount path is put before an address that begins with `/`, such as
  /// `/charters`. An address that begins with `//`, `/assets/` or `/live/` does not change.
  public static func href(_ address: String) -> Attribute {
    Attribute("href", WebAddress.safe(address))
  }

  /// Opens the page in the ``iframe`` with a name, instead of in place of this page.
  package static func target(_ frame: String) -> Attribute { Attribute("target", frame) }
}

extension Attribute where Kind: EmbeddingElement {
  /// Sets the address of the content, such as the page in an ``iframe``.
  ///
  /// The address is relative or has the scheme `http` or `https`. The schemes `mailto` and `tel`
  /// are written, too, but load no content. Any other scheme could run a script, so the address is
  /// replaced by `about:invalid`.
  ///
  /// The mount path of an app is put before an address of the app, such as `/charters`.
  public static func src(_ address: String) -> Attribute {
    Attribute("src", WebAddress.safe(address))
  }
}

// MARK: - Document

enum MetaElement: ElementKind {}
enum LinkElement: LinkingElement {}
enum ScriptElement: EmbeddingElement {}

let root = Tag<PlainElement>("html")
let head = Tag<PlainElement>("head")
let body = Tag<PlainElement>("body")
let titleElement = Tag<PlainElement>("title")
let meta = VoidTag<MetaElement>("meta")
let linkElement = VoidTag<LinkElement>("link")
let script = Tag<ScriptElement>("script")

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

  /// Delays the first paint until the script has run
  /// (<https://html.spec.whatwg.org/#blocking-attributes>).
  static func blockingRender(if isBlocking: Bool) -> Attribute {
    isBlocking ? Attribute("blocking", "render") : .none
  }
}

// MARK: - Sections

// A `Page` has these itself.
let main = Tag<PlainElement>("main")
let header = Tag<PlainElement>("header")
let aside = Tag<PlainElement>("aside")
let h1 = Tag<PlainElement>("h1")

/// The element `nav`: links to other pages, or to other places of the page.
public let nav = Tag<PlainElement>("nav")
/// The element `section`: a part of the page with a heading.
public let section = Tag<PlainElement>("section")
/// The element `article`: a complete entry, such as a message.
public let article = Tag<PlainElement>("article")
/// The element `h2`: the heading of a section. The heading of the page, `h1`, is its title.
public let h2 = Tag<PlainElement>("h2")
/// The element `h3`: the heading of a subsection.
public let h3 = Tag<PlainElement>("h3")

// MARK: - Blocks

/// The element `div`: a block without a meaning of its own.
public let div = Tag<PlainElement>("div")
/// The element `p`: a paragraph.
public let p = Tag<PlainElement>("p")
/// The element `ul`: a list whose order has no meaning.
public let ul = Tag<PlainElement>("ul")
/// The element `ol`: a numbered list.
public let ol = Tag<PlainElement>("ol")
/// The element `li`: an item of a `ul` or an `ol`.
public let li = Tag<PlainElement>("li")
/// The element `dl`: a list of terms, each followed by its descriptions.
public let dl = Tag<PlainElement>("dl")
/// The element `dt`: a term of a `dl`.
public let dt = Tag<PlainElement>("dt")
/// The element `dd`: a description in a `dl`.
public let dd = Tag<PlainElement>("dd")
let pre = Tag<PlainElement>("pre")
let br = VoidTag<PlainElement>("br")

/// The kind of `details`, which accepts the attribute `open`.
public enum DetailsElement: ElementKind {}
/// The element `details`: a part that the user expands and collapses.
public let details = Tag<DetailsElement>("details")
/// The element `summary`: the first child of `details`, which is always visible.
public let summary = Tag<PlainElement>("summary")

extension Attribute where Kind == DetailsElement {
  /// Sets whether the content is shown at first.
  ///
  /// Patches do not change it while the element is on the page, so the user's choice remains.
  public static func open(_ isOpen: Bool = true) -> Attribute { Attribute("open", if: isOpen) }
}

// MARK: - Text

/// The kind of `a`, which accepts the attribute `href`.
public enum AnchorElement: LinkingElement {}

/// The element `a`: a link.
public let a = Tag<AnchorElement>("a")
/// The element `span`: a text without a meaning of its own.
public let span = Tag<PlainElement>("span")
/// The element `strong`: an important text.
public let strong = Tag<PlainElement>("strong")
/// The element `em`: a stressed text.
public let em = Tag<PlainElement>("em")
/// The element `small`: a side remark in a small font.
public let small = Tag<PlainElement>("small")
/// The element `code`: a technical text, such as an identifier.
public let code = Tag<PlainElement>("code")

extension Attribute where Kind == AnchorElement {
  /// Sets whether the link opens a new tab, so that typed text stays here. Its text should say so.
  static func inNewTab(_ isNew: Bool = true) -> Attribute {
    isNew ? Attribute("target", "_blank") : .none
  }

  /// Stores the file to which the link leads, instead of leaving the page. The response proposes a
  /// name, as `Response.download` of the module `OffshoreHTTP` does.
  public static func download() -> Attribute { Attribute("download", if: true) }
}

// MARK: - Pictures and frames

enum ImageElement: EmbeddingElement {}
enum UseElement: LinkingElement {}

let img = VoidTag<ImageElement>("img")
let svg = Tag<PlainElement>("svg")
let use = Tag<UseElement>("use")

extension Attribute where Kind == UseElement {
  static func width(_ length: String) -> Attribute { Attribute("width", length) }
  static func height(_ length: String) -> Attribute { Attribute("height", length) }
}

/// The kind of `iframe`, which accepts the attributes `src`, `lazy` and `allow`.
public enum FrameElement: EmbeddingElement {}
/// The element `iframe`: a frame that shows another page.
public let iframe = Tag<FrameElement>("iframe")

extension Attribute where Kind == FrameElement {
  /// Loads the content only when the frame is nearly in view. The page's `load` event does not wait
  /// for it.
  public static func lazy() -> Attribute { Attribute("loading", "lazy") }

  /// Sets the features that the page in the frame may use
  /// (<https://www.w3.org/TR/permissions-policy/#iframe-allow-attribute>).
  public static func allow(_ features: String) -> Attribute { Attribute("allow", features) }

  /// Names the frame, for links that open a page in it, see `target(_:)`.
  package static func name(_ name: String) -> Attribute { Attribute("name", name) }
}

// MARK: - Tables

/// The kind of `th` and `td`, which accepts the attributes `scope` and `colspan`.
public enum CellElement: ElementKind {}

/// The element `table`: data in rows and columns.
public let table = Tag<PlainElement>("table")
/// The element `caption`: the title of a table, its first child.
public let caption = Tag<PlainElement>("caption")
/// The element `thead`: the rows with the headings of a table.
public let thead = Tag<PlainElement>("thead")
/// The element `tbody`: the other rows of a table.
public let tbody = Tag<PlainElement>("tbody")
/// The element `tr`: a row of a table.
public let tr = Tag<PlainElement>("tr")
/// The element `th`: a cell with a heading.
public let th = Tag<CellElement>("th")
/// The element `td`: a cell with data.
public let td = Tag<CellElement>("td")

extension Attribute where Kind == CellElement {
  /// Sets the cells that a heading describes.
  public static func scope(_ scope: CellScope) -> Attribute { Attribute("scope", scope.rawValue) }

  /// Sets the number of columns that the cell spans.
  public static func colspan(_ count: Int) -> Attribute { Attribute("colspan", "\(count)") }
}

/// The cells that a heading of a table describes.
public enum CellScope: String, Sendable {
  /// The cells of the column below the heading.
  case col
  /// The cells of the row after the heading.
  case row
  /// The cells of a group of columns.
  case colgroup
  /// The cells of a group of rows.
  case rowgroup
}
