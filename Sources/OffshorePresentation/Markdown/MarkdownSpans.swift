/// A parser of styles and links within the lines of one block.
///
/// Each marker is visited once, and its end is found before the next marker of the same kind is
/// considered, so the time is proportional to the length.
struct MarkdownSpans {
  /// A style marker. A pair of equal markers styles the text between them.
  private struct Marker: Hashable {
    let character: UInt8
    let count: Int
    var style: Markdown.Style { count == 2 ? .bold : .italic }
  }

  private enum Token {
    case text(Range<Int>)
    case code(Range<Int>)
    case marker(Marker, Range<Int>, canOpen: Bool, canClose: Bool)
    case linkStart
    case linkEnd(address: Range<Int>)
  }

  private let bytes: [UInt8]
  private var tokens: [Token] = []
  /// The start of the plain text that is not a token yet.
  private var textStart = 0
  /// Whether another backtick may follow.
  private var mayEndCode = true
  /// The end of the text, and the address, of the link that is being parsed.
  private var link: (textEnd: Int, address: Range<Int>)?

  /// Parses lines, joined by spaces.
  static func read(_ lines: [Substring]) -> [Markdown.Span] {
    let text = lines.map(Self.trimmed).joined(separator: " ")
    var spans = MarkdownSpans(Array(text.utf8))
    spans.tokenize()
    return spans.build()
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static func trimmed(_ line: Substring) -> Substring {
    var line = line.drop(while: \.isWhitespace)
    while line.last?.isWhitespace ?? false { line.removeLast() }
    return line
  }

  // MARK: - Tokens

  private mutating func tokenize() {
    var place = 0
    while place < bytes.count {
      if let link, link.textEnd == place {
        add(.linkEnd(address: link.address), at: place, until: link.address.upperBound + 1)
        place = textStart
        self.link = nil
        continue
      }
      switch bytes[place] {
      case UInt8(ascii: "\\"): place = readEscape(place)
      case UInt8(ascii: "`"): place = readCode(place)
      case UInt8(ascii: "*"), UInt8(ascii: "_"): place = readMarker(place)
      case UInt8(ascii: "["): place = readLink(place)
      default: place += 1
      }
    }
    flushText(bytes.count)
  }

  private mutating func flushText(_ end: Int) {
    if textStart < end { tokens.append(.text(textStart..<end)) }
  }

  private mutating func add(_ token: Token, at start: Int, until end: Int) {
    flushText(start)
    tokens.append(token)
    textStart = end
  }

  /// Reads a backslash, which makes a following marker an ordinary character.
  private mutating func readEscape(_ place: Int) -> Int {
    guard place + 1 < bytes.count, "\\`*_[]()#+-.!".utf8.contains(bytes[place + 1]) else {
      return place + 1
    }
    flushText(place)
    textStart = place + 1
    return place + 2
  }

  private mutating func readCode(_ place: Int) -> Int {
    let limit = link?.textEnd ?? bytes.count
    guard mayEndCode else { return place + 1 }
    guard let end = bytes[(place + 1)..<limit].firstIndex(of: UInt8(ascii: "`")) else {
      // NB: Only the text of the link was searched, and a backtick may follow after the link.
      mayEndCode = link != nil
      return place + 1
    }
    guard end > place + 1 else { return place + 2 }
    add(.code((place + 1)..<end), at: place, until: end + 1)
    return end + 1
  }

  private mutating func readMarker(_ place: Int) -> Int {
    let character = bytes[place]
    let run = bytes[place...].prefix { $0 == character }.count
    guard run <= 3 else { return place + run }
    let before = place > 0 ? bytes[place - 1] : UInt8(ascii: " ")
    let after = place + run < bytes.count ? bytes[place + run] : UInt8(ascii: " ")
    // An underscore within a word is not a marker, as in `file_name`.
    let isWithinWord = character == UInt8(ascii: "_") && before.isOfWord && after.isOfWord
    let canOpen = !after.isSpace && !isWithinWord
    let canClose = !before.isSpace && !isWithinWord
    for count in run == 3 ? [2, 1] : [run] {
      let start = run == 3 && count == 1 ? place + 2 : place
      let marker = Marker(character: character, count: count)
      add(
        .marker(marker, start..<(start + count), canOpen: canOpen, canClose: canClose), at: start,
        until: start + count)
    }
    return place + run
  }

  /// Reads the start of a link.
  ///
  /// NB: A link's text and address contain no `[`, so the search for their ends stops before the
  /// start of another link.
  private mutating func readLink(_ place: Int) -> Int {
    guard link == nil else { return place + 1 }
    let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
    guard let textEnd = bytes[(place + 1)...].firstIndex(where: { $0 == open || $0 == close }),
      bytes[textEnd] == close, textEnd > place + 1, bytes[textEnd - 1] != UInt8(ascii: "\\"),
      let address = address(after: textEnd)
    else { return place + 1 }
    add(.linkStart, at: place, until: place + 1)
    link = (textEnd, address)
    return place + 1
  }

  /// Returns the range of the address after a link's text, or `nil` if it is not a web address.
  private func address(after textEnd: Int) -> Range<Int>? {
    let start = textEnd + 2
    guard start < bytes.count, bytes[textEnd + 1] == UInt8(ascii: "(") else { return nil }
    var depth = 1
    for place in start..<bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "\\"), UInt8(ascii: "`"), 0...0x20, 0x7F:
        return nil
      default: break
      }
      if depth == 0 { return isWebAddress(start..<place) ? start..<place : nil }
    }
    return nil
  }

  /// NB: The expression is split and typed, because the compiler needs four seconds for a single
  /// one.
  private func isWebAddress(_ range: Range<Int>) -> Bool {
    ["http://", "https://"].contains { (scheme: String) -> Bool in
      guard range.count > scheme.utf8.count else { return false }
      let end = range.lowerBound + scheme.utf8.count
      let pairs = zip(bytes[range], scheme.utf8)
      return pairs.allSatisfy { $0 | 0x20 == $1 | 0x20 } && bytes[end].isOfWord
    }
  }

  // MARK: - Spans

  /// NB: Styles may overlap without nesting, because each run has its own. A style set by two pairs
  /// of markers lasts until both pairs are closed.
  private func build() -> [Markdown.Span] {
    let pairs = markerPairs()
    var (spans, linked): ([Markdown.Span], [Markdown.Run]) = ([], [])
    var (bold, italic, isLinked) = (0, 0, false)
    var style: Markdown.Style {
      Markdown.Style(bold > 0 ? [.bold] : []).union(italic > 0 ? [.italic] : [])
    }
    func change(_ changed: Markdown.Style, by step: Int) {
      if changed == .bold { bold += step } else { italic += step }
    }
    func append(_ range: Range<Int>, _ style: Markdown.Style) {
      let run = Markdown.Run(String(decoding: bytes[range], as: UTF8.self), style)
      if isLinked { linked.append(run) } else { spans.append(.text(run)) }
    }
    for (index, token) in tokens.enumerated() {
      switch token {
      case .text(let range): append(range, style)
      case .code(let range): append(range, style.union(.code))
      case .marker(let marker, let range, _, _):
        switch pairs[index] {
        case .opens: change(marker.style, by: 1)
        case .closes: change(marker.style, by: -1)
        case nil: append(range, style)
        }
      case .linkStart: isLinked = true
      case .linkEnd(let address):
        let address = String(decoding: bytes[address], as: UTF8.self)
        spans.append(.link(address: address, Self.joined(linked)))
        (isLinked, linked) = (false, [])
      }
    }
    return Self.joined(spans)
  }

  private enum Side { case opens, closes }

  /// Returns the tokens that are paired markers, by index.
  private func markerPairs() -> [Int: Side] {
    var pairs: [Int: Side] = [:]
    var open: [Marker: Int] = [:]
    for (index, token) in tokens.enumerated() {
      guard case .marker(let marker, _, let canOpen, let canClose) = token else { continue }
      // The text between two paired markers is never empty.
      if canClose, let start = open[marker], start + 1 < index {
        (pairs[start], pairs[index]) = (.opens, .closes)
        open[marker] = nil
      } else if canOpen {
        open[marker] = index
      }
    }
    return pairs
  }

  // MARK: - Joining

  /// Joins neighbouring runs with equal styles.
  private static func joined(_ runs: [Markdown.Run]) -> [Markdown.Run] {
    runs.reduce(into: []) { runs, run in
      if let last = runs.indices.last, runs[last].style == run.style {
        runs[last].text += run.text
      } else {
        runs.append(run)
      }
    }
  }

  private static func joined(_ spans: [Markdown.Span]) -> [Markdown.Span] {
    var (joined, runs): ([Markdown.Span], [Markdown.Run]) = ([], [])
    for span in spans {
      switch span {
      case .text(let run): runs.append(run)
      case .link:
        joined += Self.joined(runs).map(Markdown.Span.text) + [span]
        runs = []
      }
    }
    return joined + Self.joined(runs).map(Markdown.Span.text)
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// Whether the byte is part of a word: a letter, a digit, or part of a character outside ASCII.
  fileprivate var isOfWord: Bool {
    self >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
