/// A text with the words that a user searched for, which a user interface can highlight.
///
/// ```swift
/// let title = HighlightedText(recipe.title, matching: "sour bre")
/// for part in title.parts { draw(part.text, isBold: part.isHit) }
/// let note = HighlightedText(recipe.note, matching: "sour bre").snippet(words: 12)
/// ```
/// Words are compared as in a ``TextIndex``: “елка” also highlights “Ёлка”. No database is needed.
/// `text` is the whole text, and `ranges` are the ranges of the hits in it, in order.
public struct HighlightedText: Equatable, Sendable {
  /// The text.
  @_documentation(visibility: internal)
  public let text: String
  /// The ranges of the hits, which are the words that the user searched for, in order.
  @_documentation(visibility: internal)
  public let ranges: [Range<String.Index>]
  /// The ranges of all words.
  private let words: [Range<String.Index>]

  /// A piece of a text: a hit, or the text between hits.
  @_documentation(visibility: internal)
  public struct Part: Equatable, Sendable {
    /// The text of the piece.
    public let text: Substring
    /// Whether the piece is a hit.
    public let isHit: Bool
  }

  /// Finds the words of a search in a text.
  ///
  /// - Parameters:
  ///   - text: The text to show.
  ///   - search: The text that the user typed.
  ///   - match: The words that are highlighted, as for
  ///     ``Query/matching(_:in:words:)``.
  public init(_ text: String, matching search: String, words match: WordMatch = .lastBegins) {
    let wanted = SearchWords(search, words: match)
    let folded = TextFolding.fold(text)
    var (ranges, words): ([Range<String.Index>], [Range<String.Index>]) = ([], [])
    for word in TextTokenizer.shared?.words(folded.bytes) ?? [] {
      let range =
        text.utf8.index(
          text.startIndex, offsetBy: folded.places[word.range.lowerBound])..<text.utf8.index(
          text.startIndex, offsetBy: folded.places[word.range.upperBound])
      words.append(range)
      if wanted.contains(word.text) { ranges.append(range) }
    }
    self.init(text, ranges, words)
  }

  private init(
    _ text: String, _ ranges: [Range<String.Index>], _ words: [Range<String.Index>]
  ) {
    (self.text, self.ranges, self.words) = (text, ranges, words)
  }

  /// The pieces of the text, in order: a hit, which has `isHit`, or the text between hits.
  public var parts: [Part] {
    var (parts, place): ([Part], String.Index) = ([], text.startIndex)
    for range in ranges {
      if place < range.lowerBound {
        parts.append(Part(text: text[place..<range.lowerBound], isHit: false))
      }
      parts.append(Part(text: text[range], isHit: true))
      place = range.upperBound
    }
    if place < text.endIndex { parts.append(Part(text: text[place...], isHit: false)) }
    return parts
  }

  /// Returns the piece of the text with the most hits, with “…” in place of the rest.
  ///
  /// - Parameter count: The maximum number of words in the piece; at least 1.
  public func snippet(words count: Int) -> HighlightedText {
    let count = max(1, count)
    guard words.count > count else { return self }
    let hits = Set(ranges.map(\.lowerBound))
    var (best, most) = (0, -1)
    var current = words.prefix(count).count { hits.contains($0.lowerBound) }
    for start in 0...(words.count - count) {
      if start > 0 {
        current -= hits.contains(words[start - 1].lowerBound) ? 1 : 0
        current += hits.contains(words[start + count - 1].lowerBound) ? 1 : 0
      }
      if current > most { (best, most) = (start, current) }
    }
    let isFirst = best == 0
    let isLast = best + count == words.count
    let start = isFirst ? text.startIndex : words[best].lowerBound
    let end = isLast ? text.endIndex : words[best + count - 1].upperBound
    return cut(start..<end, isFirst ? "" : "…", isLast ? "" : "…")
  }

  private func cut(
    _ piece: Range<String.Index>, _ prefix: String, _ suffix: String
  ) -> HighlightedText {
    let text = prefix + text[piece] + suffix
    let distance = { (index: String.Index) in
      prefix.utf8.count + self.text.utf8.distance(from: piece.lowerBound, to: index)
    }
    let move = { (range: Range<String.Index>) in
      text.utf8.index(
        text.startIndex, offsetBy: distance(range.lowerBound))..<text.utf8.index(
          text.startIndex, offsetBy: distance(range.upperBound))
    }
    let isInside = { (range: Range<String.Index>) in
      range.lowerBound >= piece.lowerBound && range.upperBound <= piece.upperBound
    }
    return HighlightedText(
      text, ranges.filter(isInside).map(move), words.filter(isInside).map(move))
  }
}
