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
/// An app passes all its languages to a ``LanguageSetting``, which stores the choice of the user.
public struct Language: Sendable {
  /// The [BCP 47](https://www.rfc-editor.org/info/bcp47) tag, such as `de` or `pt-BR`.
  public var code: String { storage.code }
  /// The name of the language in itself, for a choice of languages.
  public var name: String { storage.name }
  /// The locale that formats dates, numbers and lists; the same on every machine.
  public var locale: Locale { storage.locale }

  private let storage: Storage

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
    storage = Storage(
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
      Storage(
        code: code, name: name, locale: locale, plurals: storage.plurals,
        translations: storage.translations, missing: missing))
  }

  private init(_ storage: Storage) { self.storage = storage }
}

// MARK: - Lookups for texts

extension Language {
  /// Returns the plural category of a whole number. The sign is ignored.
  func pluralCategory(of count: Int) -> PluralCategory { storage.plurals.category(of: count) }

  /// Formats a whole number, such as “1,234”.
  func number(_ value: Int) -> String { storage.integers.format(value) }

  /// The storage of the language's wording in a ``LocalizedText``.
  var slot: Slot { storage.slot }

  /// Returns the translation of a text. If it is missing, records the text and returns `nil`.
  /// - Parameter key: the key of the text; `nil` for a text without words.
  func translation(of key: @autoclosure () -> String?) -> Translation? {
    guard !storage.translations.isEmpty || storage.missing != nil, let key = key() else {
      return nil
    }
    if let translation = storage.translations[key] { return translation }
    storage.missing?.insert(key)
    return nil
  }

  /// The kind of storage of a language's wording in a text: a property of its own, or the list of
  /// further wordings.
  enum Slot { case english, russian, further }

  /// The properties of a language, shared by its copies.
  private final class Storage: Sendable {
    let code: String
    let name: String
    let locale: Locale
    let plurals: PluralRule
    let translations: [String: Translation]
    let missing: MissingTexts?
    let integers: IntegerFormatStyle<Int>
    let slot: Slot

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
      slot = code == "en" ? .english : code == "ru" ? .russian : .further
    }
  }
}

extension Language: Hashable {
  /// Returns whether both have the same code.
  public static func == (one: Language, other: Language) -> Bool {
    one.storage === other.storage || one.code == other.code
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Language: CustomStringConvertible {
  /// The code.
  public var description: String { code }
}

// MARK: - Preferences of the user

extension Language {
  /// Creates the language of an app that the user prefers most, or `nil` if none matches.
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
  init?(preferring tags: [String], among languages: [Language]) {
    let found = tags.lazy.compactMap(LanguageTag.init).compactMap { $0.match(among: languages) }
    guard let language = found.first else { return nil }
    self = language
  }

  /// Creates the language of a process's
  /// [environment](https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html).
  ///
  /// - Parameters:
  ///   - environment: the variables, of which the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that
  ///     is not empty names the language.
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
