extension LocalizedText {
  /// A text in one language, with the places of its interpolated values.
  ///
  /// It is written as a string literal. The places determine the key of a translation: that of
  /// `"Remove “\(name)”?"` is `Remove “%1”?`. A text can be interpolated too, and appears in the
  /// current language.
  public struct Phrase: ExpressibleByStringInterpolation, Sendable {
    /// The literals and values, joined, without the interpolated texts.
    private(set) var text: String
    private(set) var inlinePlaceholders = InlinePlaceholders()
    /// The places of all values, if ``InlinePlaceholders`` cannot store them or if one of the
    /// values is a text.
    private var allPlaceholders: [Placeholder]?

    /// Creates a phrase without values.
    public init(stringLiteral value: String) { text = value }

    /// Creates a phrase with values.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.phrase }

    /// Creates a phrase whose places are all stored inline.
    init(text: String, placeholders: InlinePlaceholders) {
      self.text = text
      inlinePlaceholders = placeholders
    }

    /// Whether all places are stored inline.
    var isInline: Bool { allPlaceholders == nil }

    /// Concatenates two phrases, for a literal that is longer than a line.
    public static func + (first: Phrase, second: Phrase) -> Phrase {
      var sum = first
      let length = first.text.utf8.count
      sum.text += second.text
      for placeholder in second.placeholders {
        sum.add(
          Placeholder(placeholder.start + length, placeholder.end + length, placeholder.nested))
      }
      return sum
    }

    private var placeholders: [Placeholder] { allPlaceholders ?? inlinePlaceholders.all }

    private mutating func add(_ placeholder: Placeholder) {
      if placeholder.nested == nil, allPlaceholders == nil,
        inlinePlaceholders.append(placeholder.start, placeholder.end)
      {
        return
      }
      allPlaceholders = placeholders + [placeholder]
    }

    /// The collector of the literal's pieces and of the places of its values.
    public struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var phrase: Phrase

      /// Reserves memory for a phrase of about this size.
      public init(literalCapacity: Int, interpolationCount: Int) {
        phrase = Phrase(stringLiteral: "")
        let capacity = literalCapacity + 2 * interpolationCount
        // A short string is stored inline.
        if capacity > 15 { phrase.text.reserveCapacity(capacity + 32 * interpolationCount) }
      }

      /// Appends a piece of the literal.
      public mutating func appendLiteral(_ literal: String) { phrase.text += literal }

      /// Appends a value.
      public mutating func appendInterpolation(_ value: String) {
        let start = phrase.text.utf8.count
        phrase.text += value
        let end = phrase.text.utf8.count
        if phrase.allPlaceholders == nil, phrase.inlinePlaceholders.append(start, end) { return }
        phrase.add(Placeholder(start, end))
      }

      /// Appends the description of a value.
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
        appendInterpolation(value.description)
      }

      /// Appends a text, which appears in the language in which the phrase is used.
      public mutating func appendInterpolation(_ text: LocalizedText) {
        let place = phrase.text.utf8.count
        phrase.add(Placeholder(place, place, text))
      }
    }
  }
}

// MARK: - Words

extension LocalizedText.Phrase {
  /// A piece of a phrase.
  private enum Piece {
    case literal(Substring)
    case value(Substring)
    case text(LocalizedText)
  }

  /// Returns the words, with interpolated texts in a language.
  func text(in language: Language) -> String {
    guard let allPlaceholders, allPlaceholders.contains(where: { $0.nested != nil }) else {
      return text
    }
    return joined(in: language) { String($0) }
  }

  /// Returns the words with a number in place of each `#` of the literal, but not of a value.
  func text(in language: Language, count: Int) -> String {
    let number = language.number(count)
    return joined(in: language) { $0.replacingNumberSigns(with: number) }
  }

  /// The key of a translation: the literal, with `%1`, `%2` … in place of the values; `nil` if the
  /// phrase consists of values only.
  var key: String? {
    if placeholders.isEmpty { return text.isEmpty ? nil : text }
    var (number, hasLiteral) = (0, false)
    let key = pieces.reduce(into: "") { key, piece in
      switch piece {
      case .literal(let text):
        hasLiteral = true
        key += text
      case .value, .text:
        number += 1
        key += "%\(number)"
      }
    }
    return hasLiteral ? key : nil
  }

  /// Returns the values, with interpolated texts in a language.
  func values(in language: Language) -> [String] {
    placeholders.map { $0.nested?.in(language) ?? String(text.utf8[$0]) }
  }

  private func joined(in language: Language, literal: (Substring) -> String) -> String {
    pieces.reduce(into: "") { words, piece in
      switch piece {
      case .literal(let text): words += literal(text)
      case .value(let text): words += text
      case .text(let text): words += text.in(language)
      }
    }
  }

  private var pieces: [Piece] {
    var pieces: [Piece] = []
    var position = 0
    func addLiteral(to end: Int) {
      if position < end { pieces.append(.literal(text.utf8[Placeholder(position, end)])) }
    }
    for placeholder in placeholders {
      addLiteral(to: placeholder.start)
      pieces.append(placeholder.nested.map(Piece.text) ?? .value(text.utf8[placeholder]))
      position = placeholder.end
    }
    addLiteral(to: text.utf8.count)
    return pieces
  }
}

/// The place of a value in a phrase, as offsets in UTF-8.
struct Placeholder: Sendable {
  let start: Int
  let end: Int
  /// The text to insert, if the value is a text; the place is empty then.
  let nested: LocalizedText?

  init(_ start: Int, _ end: Int, _ nested: LocalizedText? = nil) {
    self.start = start
    self.end = end
    self.nested = nested
  }
}

/// The places of up to two values within the first 65,535 bytes of a phrase.
///
/// Most phrases have no more. The places are stored inline, without allocating, because a page has
/// hundreds of phrases.
struct InlinePlaceholders: Sendable {
  private var first = Place.unused
  private var second = Place.unused

  private struct Place: Equatable, Sendable {
    let start: UInt16
    let end: UInt16
    static var unused: Place { Place(start: 1, end: 0) }
    static var whole: Place { Place(start: 2, end: 0) }
    var placeholder: Placeholder { Placeholder(Int(start), Int(end)) }
  }

  /// The mark of a text that is one value.
  static var verbatim: InlinePlaceholders { InlinePlaceholders(first: .whole, second: .unused) }

  var isVerbatim: Bool { first == .whole }

  /// Appends the place of the next value.
  /// - Returns: `false` if there is no room for it.
  mutating func append(_ start: Int, _ end: Int) -> Bool {
    guard second == .unused, end <= UInt16.max else { return false }
    let place = Place(start: UInt16(start), end: UInt16(end))
    if first == .unused { first = place } else { second = place }
    return true
  }

  /// The places in ascending order.
  var all: [Placeholder] { [first, second].filter { $0 != .unused }.map(\.placeholder) }
}

extension String.UTF8View {
  /// The text between two places that lie between characters.
  subscript(placeholder: Placeholder) -> Substring {
    let start = index(startIndex, offsetBy: placeholder.start)
    return Substring(self[start..<index(start, offsetBy: placeholder.end - placeholder.start)])
  }
}

extension Substring {
  /// Returns the text with a number in place of each `#`.
  func replacingNumberSigns(with number: String) -> String {
    var text = ""
    var rest = self
    while let sign = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      text += rest[..<sign]
      text += number
      rest = rest[utf8.index(after: sign)...]
    }
    return text + rest
  }
}
