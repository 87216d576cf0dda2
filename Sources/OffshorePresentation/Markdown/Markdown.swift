import Foundation

/// A text with headings, paragraphs and lists, whose words can be bold, italic, code or links.
///
/// It is a subset of [Markdown](https://spec.commonmark.org/0.31.2/), and any text is valid:
/// characters that are not markers of the subset, including HTML, are ordinary text. A view must
/// escape all texts. Parsing takes time proportional to the length, and the nesting is limited.
public struct Markdown: Equatable, Sendable {
  /// A block of lines.
  public enum Block: Equatable, Sendable {
    /// A heading with a level from 1 to 6.
    case heading(level: Int, [Span])
    /// Adjacent lines, joined to one text.
    case paragraph([Span])
    /// A list of numbered or unnumbered items.
    case list(isOrdered: Bool, items: [[Span]])
  }

  /// A part of a line.
  public enum Span: Equatable, Sendable {
    /// A text with one style.
    case text(Run)
    /// A link to an `http` or `https` address, with its text.
    case link(address: String, [Run])
  }

  /// A text with one style.
  public struct Run: Equatable, Sendable {
    /// The characters, without markers.
    public internal(set) var text: String
    /// The style of all characters.
    public let style: Style

    init(_ text: String, _ style: Style = []) {
      self.text = text
      self.style = style
    }
  }

  /// The style of a text.
  public struct Style: OptionSet, Sendable {
    /// The bits of the style.
    public let rawValue: Int

    /// Creates a style from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Bold.
    public static let bold = Style(rawValue: 1)
    /// Italic.
    public static let italic = Style(rawValue: 2)
    /// Code, in which no character is a marker.
    public static let code = Style(rawValue: 4)
  }

  /// The blocks in their order.
  public let blocks: [Block]

  /// Parses a text.
  public init(_ text: String) {
    var lines = MarkdownLines()
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      lines.add(line)
    }
    blocks = lines.finish()
  }
}

/// A parser that groups lines into blocks.
private struct MarkdownLines {
  private var blocks: [Markdown.Block] = []
  private var paragraph: [Substring] = []
  private var list: (isOrdered: Bool, items: [[Substring]])?
  /// Whether the list's last item is followed by a blank line.
  private var isListInterrupted = false

  mutating func add(_ line: Substring) {
    let content = line.drop(while: \.isWhitespace)
    let isIndented = content.startIndex != line.startIndex
    if content.isEmpty {
      endParagraph()
      isListInterrupted = true
    } else if let (level, title) = Self.heading(content) {
      endAll()
      blocks.append(.heading(level: level, MarkdownSpans.read([title])))
    } else if let (isOrdered, item) = Self.item(content) {
      endParagraph()
      if list?.isOrdered != isOrdered { endList() }
      if list == nil { list = (isOrdered, []) }
      list?.items.append([item])
      isListInterrupted = false
    } else if isIndented, !isListInterrupted, let last = list?.items.indices.last {
      list?.items[last].append(content)
    } else {
      endList()
      paragraph.append(content)
    }
  }

  mutating func finish() -> [Markdown.Block] {
    endAll()
    return blocks
  }

  private mutating func endAll() {
    endParagraph()
    endList()
  }

  private mutating func endParagraph() {
    guard !paragraph.isEmpty else { return }
    blocks.append(.paragraph(MarkdownSpans.read(paragraph)))
    paragraph = []
  }

  private mutating func endList() {
    guard let list else { return }
    blocks.append(
      .list(isOrdered: list.isOrdered, items: list.items.map { MarkdownSpans.read($0) }))
    self.list = nil
  }

  // MARK: Markers

  private static func heading(_ line: Substring) -> (level: Int, title: Substring)? {
    let level = line.prefix { $0 == "#" }.count
    let rest = line.dropFirst(level)
    guard (1...6).contains(level), rest.first?.isWhitespace ?? false else { return nil }
    return (level, rest)
  }

  private static func item(_ line: Substring) -> (isOrdered: Bool, text: Substring)? {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let marker = line.dropFirst(digits.count).first
    let rest = line.dropFirst(digits.count + 1)
    guard let marker, rest.first?.isWhitespace ?? false else { return nil }
    // As in CommonMark, longer numbers do not start an item.
    if digits.isEmpty { return "-*+".contains(marker) ? (false, rest) : nil }
    return digits.count <= 9 && ".)".contains(marker) ? (true, rest) : nil
  }
}
