/// Replacements of letters that a search must treat as equal though FTS5's tokenizer distinguishes
/// them, or the reverse.
///
/// FTS5 removes the diacritics of Latin letters, but those of other letters only if they are
/// separate characters. So a letter with a separate diacritic would differ from the same letter as
/// one character. Letters that are distinct in their alphabet are composed here; others are
/// replaced by the letter without the diacritic.
enum TextFolding {
  /// Each text and its replacement. No replacement creates a text that is replaced.
  static let pairs: [(from: String, to: String)] = [
    ("\u{0438}\u{0306}", "й"), ("\u{0418}\u{0306}", "Й"), ("\u{0456}\u{0308}", "ї"),
    ("\u{0406}\u{0308}", "Ї"), ("\u{0443}\u{0306}", "ў"), ("\u{0423}\u{0306}", "Ў"),
    ("\u{0433}\u{0301}", "ѓ"), ("\u{0413}\u{0301}", "Ѓ"), ("\u{043A}\u{0301}", "ќ"),
    ("\u{041A}\u{0301}", "Ќ"), ("ё", "е"), ("Ё", "Е"), ("ά", "α"), ("Ά", "Α"), ("έ", "ε"),
    ("Έ", "Ε"), ("ή", "η"), ("Ή", "Η"), ("ί", "ι"), ("Ί", "Ι"), ("ό", "ο"), ("Ό", "Ο"),
    ("ύ", "υ"), ("Ύ", "Υ"), ("ώ", "ω"), ("Ώ", "Ω"), ("ϊ", "ι"), ("Ϊ", "Ι"), ("ϋ", "υ"),
    ("Ϋ", "Υ"), ("ΐ", "ι"), ("ΰ", "υ"),
  ]

  /// Returns SQL for the text of an expression after the replacements. ASCII text needs none.
  ///
  /// NB: SQLite's parser accepts at most 30 nested calls, so they are distributed over subqueries.
  static func sql(_ text: String) -> String {
    let groups = stride(from: 0, to: pairs.count, by: groupSize).map {
      pairs[$0..<min($0 + groupSize, pairs.count)]
    }
    let replaced = groups.reduce("SELECT \(text) AS _text_value") { inner, group in
      let calls = group.reduce("_text_value") {
        "replace(\($0), \(literal($1.from)), \(literal($1.to)))"
      }
      return "SELECT \(calls) AS _text_value FROM (\(inner))"
    }
    return "CASE WHEN length(CAST(\(text) AS BLOB)) = length(\(text)) THEN \(text) "
      + "ELSE (\(replaced)) END"
  }

  private static let groupSize = 11

  /// Returns the text after the replacements as UTF-8, and for each of its bytes, and its end, the
  /// offset in the original.
  static func fold(_ text: String) -> (bytes: [UInt8], places: [Int]) {
    let scalars = Array(text.unicodeScalars)
    var (bytes, places): ([UInt8], [Int]) = ([], [])
    var (index, place) = (0, 0)
    while index < scalars.count {
      var (count, folded) = (1, UTF8.encode(scalars[index]).map(Array.init) ?? [])
      var length = folded.count
      if index + 1 < scalars.count, let other = composed(scalars[index], scalars[index + 1]) {
        (count, folded) = (2, other)
        length += UTF8.width(scalars[index + 1])
      } else if let other = replacement(of: scalars[index]) {
        folded = other
      }
      bytes += folded
      places += folded.map { _ in place }
      place += length
      index += count
    }
    return (bytes, places + [place])
  }

  private static func composed(_ letter: Unicode.Scalar, _ mark: Unicode.Scalar) -> [UInt8]? {
    guard marks.contains(mark) else { return nil }
    return replacements[[letter, mark]]
  }

  private static func replacement(of letter: Unicode.Scalar) -> [UInt8]? {
    guard letter == "ё" || letter == "Ё" || greek.contains(letter) else { return nil }
    return replacements[[letter]]
  }

  /// The characters that may be replaced.
  private static let (marks, greek): (ClosedRange<Unicode.Scalar>, ClosedRange<Unicode.Scalar>) = (
    "\u{301}"..."\u{308}", "\u{386}"..."\u{3CE}"
  )

  private static let replacements = Dictionary(
    uniqueKeysWithValues: pairs.map { (Array($0.from.unicodeScalars), Array($0.to.utf8)) })

  private static func literal(_ text: String) -> String {
    let codes = text.unicodeScalars.map { "\($0.value)" }
    return "char(\(codes.joined(separator: ", ")))"
  }
}
