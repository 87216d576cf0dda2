import Synchronization

/// The translation of a text into a language in which the text is not declared.
///
/// The key is the English text with `%1`, `%2` … in place of its values. The key of a counted text
/// is its form `other`, with `#` in place of the number:
///
/// | declared in English | key | translation |
/// | --- | --- | --- |
/// | `"Try again."` | `Try again.` | `"Versuche es noch einmal."` |
/// | `"\(count) of \(total)"` | `%1 of %2` | `"Von %2 sind %1 erledigt"` |
/// | `one: "# guest", other: "# guests"` | `# guests` | `.counted(one: "# Gast", other: "# Gäste")` |
///
/// `Scripts/check-texts --keys Sources` prints the keys of the library's texts. ``MissingTexts``
/// collects the keys that a language lacks.
///
/// A translation has the values in any order, and can omit some. All texts that are the same in
/// English share a translation. If two such texts differ in a language, such as “Open” as a verb
/// and as an adjective, declare one of them in that language.
public struct Translation: ExpressibleByStringLiteral, Sendable {
  private let forms: [PluralCategory: String]
  private let other: String

  /// Creates one form for all numbers, or for a text without a number.
  public init(_ text: String) { (forms, other) = ([:], text) }

  /// Creates one form for all numbers, or for a text without a number.
  public init(stringLiteral value: String) { self.init(value) }

  /// Returns the forms of a counted text, those that the language has.
  /// - Parameter other: the form of all remaining numbers, and of each category that is left out.
  public static func counted(
    zero: String? = nil, one: String? = nil, two: String? = nil, few: String? = nil,
    many: String? = nil, other: String
  ) -> Translation {
    let forms: [PluralCategory: String?] = [
      .zero: zero, .one: one, .two: two, .few: few, .many: many,
    ]
    return Translation(forms: forms.compactMapValues(\.self), other: other)
  }

  private init(forms: [PluralCategory: String], other: String) {
    self.forms = forms
    self.other = other
  }

  /// Returns the words with values in their places.
  func text(with values: [String], count: Int?, in language: Language) -> String {
    let form = count.flatMap { forms[language.pluralCategory(of: $0)] } ?? other
    if values.isEmpty, count == nil { return form }
    return form.filled(with: values, number: count.map(language.number))
  }
}

extension String {
  /// Returns the text with values for `%1`, `%2` …, and with a number for each `#`, if there is
  /// one.
  fileprivate func filled(with values: [String], number: String?) -> String {
    var (text, rest) = ("", self[...])
    while let sign = rest.utf8.firstIndex(where: {
      $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "#")
    }) {
      text += rest[..<sign]
      let isNumber = rest.utf8[sign] == UInt8(ascii: "#")
      rest = rest[rest.utf8.index(after: sign)...]
      let digits = rest.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if isNumber {
        text += number ?? "#"
      } else if let index = Int(Substring(digits)), values.indices.contains(index - 1) {
        text += values[index - 1]
        rest = rest[digits.endIndex...]
      } else {
        text += "%"
      }
    }
    return text + rest
  }
}

/// The texts that a language lacks, collected while an app's pages are rendered in it.
///
/// A test of a language that the app adds:
///
/// ```swift
/// let missing = MissingTexts()
/// let german = Language.german.recording(missing)
/// // … render every page in `german` …
/// #expect(missing.keys == [])
/// ```
///
/// It records missing texts of rendered pages only, so the test has to render all pages and all
/// errors.
public final class MissingTexts: Sendable {
  private let found = Mutex<Set<String>>([])

  /// Creates an empty collection.
  public init() {}

  /// The keys that are missing in the language's translations, sorted.
  public var keys: [String] { found.withLock { $0.sorted() } }

  func insert(_ key: String) { found.withLock { _ = $0.insert(key) } }
}
