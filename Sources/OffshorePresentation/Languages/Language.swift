public import Foundation

/// A language that an app speaks.
///
/// English and Russian ship with the library, which has all of its own texts in both. An app adds a
/// language by a value, with translations of the texts that are not declared in it:
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
/// Which languages an app has is a list of its own: ``LanguageSetting`` takes it, and so do the
/// initializers that choose by a preference.
public struct Language: Sendable {
  /// The [BCP 47](https://www.rfc-editor.org/info/bcp47) tag, such as `de` or `pt-BR`.
  public var code: String { facts.code }
  /// The language's name in itself, for a choice of languages.
  public var name: String { facts.name }
  /// The locale that formats dates, numbers and lists; the same on every machine.
  public var locale: Locale { facts.locale }

  private let facts: Facts

  /// Describes a language.
  ///
  /// - Parameters:
  ///   - code: the BCP 47 tag. Two languages with the same tag are equal.
  ///   - name: the language's name in itself.
  ///   - locale: the locale that formats dates, numbers and lists.
  ///   - plurals: the rule that gives the plural category of a number.
  ///   - translations: the texts that are not declared in this language, by their English form, as
  ///     ``Translation`` explains.
  public init(
    code: String, name: String, locale: Locale, plurals: PluralRule,
    translations: [String: Translation] = [:]
  ) {
    facts = Facts(
      code: code, name: name, locale: locale, plurals: plurals, translations: translations,
      missing: nil)
  }

  /// English, as it is written in the United Kingdom.
  public static let english = Language(
    code: "en", name: "English", locale: Locale(identifier: "en_GB"), plurals: .english)

  /// Russian.
  public static let russian = Language(
    code: "ru", name: "Русский", locale: Locale(identifier: "ru_RU"), plurals: .russian)

  /// The languages that all texts of the library are written in.
  public static let shipped = [english, russian]

  /// The same language, but it adds each text that falls back to English to a collection.
  ///
  /// A test shows an app's pages in it, and then expects the collection to be empty.
  public func recording(_ missing: MissingTexts) -> Language {
    Language(
      Facts(
        code: code, name: name, locale: locale, plurals: facts.plurals,
        translations: facts.translations, missing: missing))
  }

  private init(_ facts: Facts) { self.facts = facts }
}

// MARK: - For texts

extension Language {
  /// The plural category of a whole number. The sign does not matter.
  public func pluralCategory(of count: Int) -> PluralCategory { facts.plurals.category(of: count) }

  /// Formats a whole number, such as “1,234”.
  func number(_ value: Int) -> String { facts.integers.format(value) }

  /// Whether a text has a field of its own for the language.
  var place: Place { facts.place }

  /// The translation of a text; `nil`, and the text is recorded as missing, if there is none.
  /// - Parameter key: is `nil` for a text without words.
  func translation(of key: @autoclosure () -> String?) -> Translation? {
    guard !facts.translations.isEmpty || facts.missing != nil, let key = key() else { return nil }
    if let translation = facts.translations[key] { return translation }
    facts.missing?.insert(key)
    return nil
  }

  /// How a text finds its words in a language.
  enum Place { case english, russian, further }

  /// The facts of a language, shared by its copies.
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
  /// Whether both have the same code.
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
