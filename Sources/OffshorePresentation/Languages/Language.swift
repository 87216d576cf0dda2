public import Foundation

/// A language of an app.
///
/// English and Russian ship with the library, which has all its own texts in both. An app adds a
/// language as a value, with translations of the texts that are not declared in it:
///
/// ```swift
/// extension Language {
///   static let german = Language(
///     code: "de", name: "Deutsch", locale: Locale(identifier: "de_DE"), plurals: .english,
///     translations: [
///       "Try again.": "Versuche es noch einmal.",
///       "Remove “%1”?": "„%1“ entfernen?",
///       "# guests": .counted(one: "# Gast", other: "# Gäste"),
///     ])
/// }
/// ```
///
/// The list of an app's languages is separate: it is passed to ``LanguageSetting`` and to the
/// initializers that choose by a preference.
public struct Language: Sendable {
  /// The [BCP 47](https://www.rfc-editor.org/info/bcp47) tag, such as `de` or `pt-BR`.
  public var code: String { facts.code }
  /// The name of the language in itself, for a choice of languages.
  public var name: String { facts.name }
  /// The locale that formats dates, numbers and lists; the same on every machine.
  public var locale: Locale { facts.locale }

  private let facts: Facts

  /// Creates a language.
  ///
  /// - Parameters:
  ///   - code: the BCP 47 tag. Two languages with the same tag are equal.
  ///   - name: the name of the language in itself.
  ///   - locale: the locale that formats dates, numbers and lists.
  ///   - plurals: the rule that returns the plural category of a number.
  ///   - translations: the texts that are not declared in this language, by their English form; see
  ///     ``Translation``.
  public init(
    code: String, name: String, locale: Locale, plurals: PluralRule,
    translations: [String: Translation] = [:]
  ) {
    facts = Facts(
      code: code, name: name, locale: locale, plurals: plurals, translations: translations,
      missing: nil)
  }

  /// British English.
  public static let english = Language(
    code: "en", name: "English", locale: Locale(identifier: "en_GB"), plurals: .english)

  /// Russian.
  public static let russian = Language(
    code: "ru", name: "Русский", locale: Locale(identifier: "ru_RU"), plurals: .russian)

  /// The languages in which all texts of the library are declared.
  public static let shipped = [english, russian]

  /// Returns the same language, which also records each text that falls back to English.
  ///
  /// A test renders an app's pages in it, and then expects the collection to be empty.
  public func recording(_ missing: MissingTexts) -> Language {
    Language(
      Facts(
        code: code, name: name, locale: locale, plurals: facts.plurals,
        translations: facts.translations, missing: missing))
  }

  private init(_ facts: Facts) { self.facts = facts }
}

// MARK: - Lookups for texts

extension Language {
  /// Returns the plural category of a whole number. The sign is ignored.
  public func pluralCategory(of count: Int) -> PluralCategory { facts.plurals.category(of: count) }

  /// Formats a whole number, such as “1,234”.
  func number(_ value: Int) -> String { facts.integers.format(value) }

  /// The place of the language in a ``LocalizedText``.
  var place: Place { facts.place }

  /// Returns the translation of a text. If it is missing, records the text and returns `nil`.
  /// - Parameter key: the key of the text; `nil` for a text without words.
  func translation(of key: @autoclosure () -> String?) -> Translation? {
    guard !facts.translations.isEmpty || facts.missing != nil, let key = key() else { return nil }
    if let translation = facts.translations[key] { return translation }
    facts.missing?.insert(key)
    return nil
  }

  /// The place of a language in a text: a stored property, or further wordings.
  enum Place { case english, russian, further }

  /// The properties of a language, shared by its copies.
  private final class Facts: Sendable {
    let code: String
    let name: String
    let locale: Locale
    let plurals: PluralRule
    let translations: [String: Translation]
    let missing: MissingTexts?
    let integers: IntegerFormatStyle<Int>
    let place: Place

    init(
      code: String, name: String, locale: Locale, plurals: PluralRule,
      translations: [String: Translation], missing: MissingTexts?
    ) {
      self.code = code
      self.name = name
      self.locale = locale
      self.plurals = plurals
      self.translations = translations
      self.missing = missing
      integers = IntegerFormatStyle(locale: locale)
      place = code == "en" ? .english : code == "ru" ? .russian : .further
    }
  }
}

extension Language: Hashable {
  /// Returns whether both have the same code.
  public static func == (one: Language, other: Language) -> Bool {
    one.facts === other.facts || one.code == other.code
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Language: CustomStringConvertible {
  /// The code.
  public var description: String { code }
}

// Choice of one of an app's languages by the preferences of a user.

extension Language {
  /// Creates the most preferred of an app's languages, or `nil` if none of them matches.
  ///
  /// A tag matches the language with the same code; otherwise the language with the code of a
  /// shorter tag, shortened as in [RFC 4647](https://www.rfc-editor.org/rfc/rfc4647#section-3.4);
  /// otherwise the first language of the same name in another region or script.
  ///
  /// - Parameters:
  ///   - tags: [BCP 47](https://www.rfc-editor.org/info/bcp47) tags such as `ru-RU`, the most
  ///     preferred first, in upper or lower case. The name of a locale, such as `ru_RU.UTF-8`, is
  ///     accepted as well.
  ///   - languages: the languages that the app has.
  public init?(preferring tags: [String], among languages: [Language]) {
    let found = tags.lazy.compactMap(LanguageTag.init).compactMap { $0.match(among: languages) }
    guard let language = found.first else { return nil }
    self = language
  }

  /// Creates the language that a browser requests by the header `Accept-Language`
  /// ([RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4)).
  ///
  /// - Parameters:
  ///   - acceptLanguage: the header's value, such as `ru-RU,ru;q=0.9,en;q=0.8`. Malformed entries
  ///     are ignored.
  ///   - languages: the languages that the app has.
  public init?(acceptLanguage: String, among languages: [Language]) {
    let ranges = acceptLanguage.split(separator: ",").compactMap(LanguageRange.init)
    // NB: The sort has to be stable: of equal weights the first is preferred.
    let sorted = ranges.enumerated().sorted {
      ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }
    self.init(preferring: sorted.map(\.element.tag), among: languages)
  }

  /// Creates the language of a process's
  /// [environment](https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html).
  ///
  /// - Parameters:
  ///   - environment: the variables. The first one of `LC_ALL`, `LC_MESSAGES` and `LANG` that is
  ///     not empty counts.
  ///   - languages: the languages that the app has.
  public init?(environment: [String: String], among languages: [Language]) {
    let values = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
    guard let value = values.first(where: { !$0.isEmpty }) else { return nil }
    self.init(preferring: [value], among: languages)
  }
}

/// The parts of a language tag or of a locale name, in lower case.
private struct LanguageTag {
  let parts: [Substring]

  /// Parses a tag; `nil` if its first part is not a language.
  init?(_ tag: String) {
    // The encoding and the modifier of a locale are not parts of a tag.
    let name = tag.lowercased().prefix { $0 != "." && $0 != "@" }
    parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let language = parts.first, !language.isEmpty,
      language.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return nil }
  }

  /// Returns the language that the tag matches.
  func match(among languages: [Language]) -> Language? {
    let tags = languages.map { LanguageTag($0.code)?.parts ?? [] }
    for length in stride(from: parts.count, to: 0, by: -1) {
      if let index = tags.firstIndex(where: { $0[...] == parts.prefix(length) }) {
        return languages[index]
      }
    }
    return tags.firstIndex { $0.first == parts.first }.map { languages[$0] }
  }
}

/// An entry of the header `Accept-Language`, with its weight.
private struct LanguageRange {
  let tag: String
  /// The weight, over 0 and at most 1.
  let weight: Double

  init?(_ entry: Substring) {
    let parts = entry.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
    guard let tag = parts.first else { return nil }
    self.tag = tag
    guard let weight = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else {
      self.weight = 1
      return
    }
    // A weight of 0 excludes the language.
    guard let weight = Double(weight.dropFirst(2)), weight > 0, weight <= 1 else { return nil }
    self.weight = weight
  }
}
