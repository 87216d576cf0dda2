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
