extension LocalizedText {
  /// A text in one language, with the places of its interpolated values.
  ///
  /// It is written as a string literal. The places determine the key of a translation: that of
  /// `"Remove “\(name)”?"` is `Remove “%1”?`. A text can be interpolated too, and appears in the
  /// current language.
  public struct Phrase: ExpressibleByStringInterpolation, Sendable {
    /// The literals and values, joined, without the interpolated texts.
    private(set) var text: String
    private(set) var shortHoles = ShortHoles()
    /// The places of all values, if ``ShortHoles`` cannot store them or if one of the values is a
    /// text.
    private var longHoles: [Hole]?

    /// Creates a phrase without values.
    public init(stringLiteral value: String) { text = value }

    /// Creates a phrase with values.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.phrase }

    /// Creates a phrase without long places.
    init(text: String, holes: ShortHoles) {
      self.text = text
      shortHoles = holes
    }

    /// Whether the text and the short places are the whole phrase.
    var isShort: Bool { longHoles == nil }

    /// Concatenates two phrases, for a literal that is longer than a line.
    public static func + (first: Phrase, second: Phrase) -> Phrase {
      var sum = first
      let length = first.text.utf8.count
      sum.text += second.text
      for hole in second.holes {
        sum.add(Hole(hole.start + length, hole.end + length, hole.nested))
      }
      return sum
    }

    private var holes: [Hole] { longHoles ?? shortHoles.all }

    private mutating func add(_ hole: Hole) {
      if hole.nested == nil, longHoles == nil, shortHoles.append(hole.start, hole.end) { return }
      longHoles = holes + [hole]
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
        if phrase.longHoles == nil, phrase.shortHoles.append(start, end) { return }
        phrase.add(Hole(start, end))
      }

      /// Appends the description of a value.
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
        appendInterpolation(value.description)
      }

      /// Appends a text, which appears in the language in which the phrase is used.
      public mutating func appendInterpolation(_ text: LocalizedText) {
        let place = phrase.text.utf8.count
        phrase.add(Hole(place, place, text))
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
    guard let longHoles, longHoles.contains(where: { $0.nested != nil }) else { return text }
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
    if holes.isEmpty { return text.isEmpty ? nil : text }
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
    holes.map { $0.nested?.in(language) ?? String(text.utf8[$0]) }
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
      if position < end { pieces.append(.literal(text.utf8[Hole(position, end)])) }
    }
    for hole in holes {
      addLiteral(to: hole.start)
      pieces.append(hole.nested.map(Piece.text) ?? .value(text.utf8[hole]))
      position = hole.end
    }
    addLiteral(to: text.utf8.count)
    return pieces
  }
}
