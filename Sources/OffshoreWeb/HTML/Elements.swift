// The HTML elements of pages. There is no `style`, and a `script` only refers to a file, because
// the content security policy forbids anything else.

/// The kind of elements that have only the attributes of all elements.
public enum Plain: ElementKind {}

// MARK: - Document

/// The kind of `html`.
public enum RootElement: ElementKind {}
/// The kind of `meta`.
public enum MetaElement: ElementKind {}
/// The kind of `link`.
public enum LinkElement: ElementKind, LinkingElement {}
/// The kind of `script`.
public enum ScriptElement: ElementKind, EmbeddingElement {}

let root = Tag<Plain>("html")
let head = Tag<Plain>("head")
let body = Tag<Plain>("body")
let titleElement = Tag<Plain>("title")
let meta = VoidTag<MetaElement>("meta")
let linkElement = VoidTag<LinkElement>("link")
let script = Tag<ScriptElement>("script")

// MARK: - Sections

public let main = Tag<Plain>("main")
public let header = Tag<Plain>("header")
public let footer = Tag<Plain>("footer")
public let nav = Tag<Plain>("nav")
public let section = Tag<Plain>("section")
public let article = Tag<Plain>("article")
public let aside = Tag<Plain>("aside")
public let h1 = Tag<Plain>("h1")
public let h2 = Tag<Plain>("h2")
public let h3 = Tag<Plain>("h3")

// MARK: - Blocks

public let div = Tag<Plain>("div")
public let p = Tag<Plain>("p")
public let ul = Tag<Plain>("ul")
public let ol = Tag<Plain>("ol")
public let li = Tag<Plain>("li")
public let dl = Tag<Plain>("dl")
public let dt = Tag<Plain>("dt")
public let dd = Tag<Plain>("dd")
public let pre = Tag<Plain>("pre")
public let figure = Tag<Plain>("figure")

/// The kind of `iframe`.
public enum FrameElement: ElementKind, EmbeddingElement {}
public let iframe = Tag<FrameElement>("iframe")

public let hr = VoidTag<Plain>("hr")
public let br = VoidTag<Plain>("br")
public let summary = Tag<Plain>("summary")

/// The kind of `details`.
public enum DetailsElement: ElementKind {}
public let details = Tag<DetailsElement>("details")

// MARK: - Text

/// The kind of `a`.
public enum AnchorElement: ElementKind, LinkingElement {}
/// The kind of `time`.
public enum TimeElement: ElementKind {}

public let a = Tag<AnchorElement>("a")
public let span = Tag<Plain>("span")
public let strong = Tag<Plain>("strong")
public let em = Tag<Plain>("em")
public let small = Tag<Plain>("small")
public let code = Tag<Plain>("code")
public let time = Tag<TimeElement>("time")

// MARK: - Pictures

/// The kind of `img`.
public enum ImageElement: ElementKind, EmbeddingElement {}
/// The kind of `use`, in a drawing.
public enum UseElement: ElementKind, LinkingElement {}

public let img = VoidTag<ImageElement>("img")
public let svg = Tag<Plain>("svg")
public let use = Tag<UseElement>("use")

// MARK: - Tables

/// The kind of `th` and `td`.
public enum CellElement: ElementKind {}

public let table = Tag<Plain>("table")
public let caption = Tag<Plain>("caption")
public let thead = Tag<Plain>("thead")
public let tbody = Tag<Plain>("tbody")
public let tr = Tag<Plain>("tr")
public let th = Tag<CellElement>("th")
public let td = Tag<CellElement>("td")

// MARK: - Forms

/// The kind of `form`.
public enum FormElement: ElementKind {}
/// The kind of `label`.
public enum LabelElement: ElementKind {}
/// The kind of `input`.
public enum InputElement: ElementKind, ControlElement, ValueElement {}
/// The kind of `textarea`.
public enum TextAreaElement: ElementKind, ControlElement {}
/// The kind of `select`.
public enum SelectElement: ElementKind, ControlElement {}
/// The kind of `option`.
public enum OptionElement: ElementKind, ValueElement {}
/// The kind of `button`.
public enum ButtonElement: ElementKind, ControlElement, ValueElement {}
/// The kind of `progress` and `meter`.
public enum GaugeElement: ElementKind {}

public let form = Tag<FormElement>("form")
public let fieldset = Tag<Plain>("fieldset")
public let legend = Tag<Plain>("legend")
public let label = Tag<LabelElement>("label")
public let input = VoidTag<InputElement>("input")
public let textarea = Tag<TextAreaElement>("textarea")
public let select = Tag<SelectElement>("select")
public let option = Tag<OptionElement>("option")
public let button = Tag<ButtonElement>("button")
public let progress = Tag<GaugeElement>("progress")
public let output = Tag<Plain>("output")
