public import OffshorePresentation
public import OffshoreWeb

/// A Markdown text on a page. All its words are escaped like any other text.
public struct MarkdownView: Component {
  private let markdown: Markdown

  /// Creates the view of a text.
  public init(_ markdown: Markdown) { self.markdown = markdown }

  /// The text as an article.
  public var html: HTML {
    article(.class("prose")) {
      for block in markdown.blocks { Self.block(block) }
    }
  }

  private static func block(_ block: Markdown.Block) -> HTML {
    switch block {
    // The page's title is the only heading of the first level.
    case .heading(let level, let content):
      level == 1 ? h2 { spans(content) } : h3 { spans(content) }
    case .paragraph(let content): p { spans(content) }
    case .list(let isOrdered, let items): isOrdered ? ol { list(items) } : ul { list(items) }
    }
  }

  @HTMLBuilder private static func list(_ items: [[Markdown.Span]]) -> HTML {
    for item in items { li { spans(item) } }
  }

  @HTMLBuilder private static func spans(_ spans: [Markdown.Span]) -> HTML {
    for span in spans {
      switch span {
      case .text(let content): run(content)
      case .link(let address, let runs):
        a(.href(address)) { for content in runs { run(content) } }
      }
    }
  }

  private static func run(_ run: Markdown.Run) -> HTML {
    var html = HTML(run.text)
    if run.style.contains(.code) { html = code { html } }
    if run.style.contains(.italic) { html = em { html } }
    if run.style.contains(.bold) { html = strong { html } }
    return html
  }
}
