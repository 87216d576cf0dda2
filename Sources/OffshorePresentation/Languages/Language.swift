public import Foundation

/// A language that every text of an app is written in.
public enum Language: String, CaseIterable, Codable, Sendable {
  case english = "en"
  case russian = "ru"

  /// The language's name in itself, for a choice of languages.
  public var name: String {
    switch self {
    case .english: "English"
    case .russian: "Русский"
    }
  }

  /// How dates, numbers and lists are written in it; the same on every machine.
  public var locale: Locale {
    switch self {
    case .english: Self.britishLocale
    case .russian: Self.russianLocale
    }
  }

  private static let britishLocale = Locale(identifier: "en_GB")
  private static let russianLocale = Locale(identifier: "ru_RU")
}

// MARK: - From what somebody prefers

extension Language {
  /// The first language that somebody prefers and that there is.
  ///
  /// - Parameter tags: [BCP 47](https://www.rfc-editor.org/info/bcp47) tags such as `ru-RU`, the
  ///   most preferred first. Region and script do not matter, nor do upper and lower case, and a
  ///   locale's name such as `ru_RU.UTF-8` serves as well.
  public init?(preferring tags: [String]) {
    guard let language = tags.lazy.compactMap(Self.init(tag:)).first else { return nil }
    self = language
  }

  /// The language that a browser asks for by the header `Accept-Language`
  /// ([RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4)).
  ///
  /// - Parameter acceptLanguage: the header's value, such as `ru-RU,ru;q=0.9,en;q=0.8`. What cannot be
  ///   read in it is passed over.
  public init?(acceptLanguage: String) {
    let ranges = acceptLanguage.split(separator: ",").compactMap(LanguageRange.init)
    // NB: The sort has to be stable: of equal weights the first is preferred.
    let sorted = ranges.enumerated().sorted {
      ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }
    self.init(preferring: sorted.map(\.element.tag))
  }

  /// The language that a process is asked to speak by its
  /// [environment](https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html).
  ///
  /// - Parameter environment: the variables; the first that is not empty counts, of `LC_ALL`,
  ///   `LC_MESSAGES` and `LANG`.
  public init?(environment: [String: String]) {
    let values = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
    guard let value = values.first(where: { !$0.isEmpty }) else { return nil }
    self.init(preferring: [value])
  }

  private init?(tag: String) {
    let code = tag.prefix { $0.isASCII && $0.isLetter }
    guard tag.dropFirst(code.count).first.map("-_.@".contains) ?? true else { return nil }
    self.init(rawValue: code.lowercased())
  }
}

/// One entry of the header `Accept-Language`, with how much it is wanted.
private struct LanguageRange {
  let tag: String
  /// 0.001…1.
  let weight: Double

  init?(_ entry: Substring) {
    let parts = entry.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
    guard let tag = parts.first else { return nil }
    self.tag = tag
    guard let weight = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else {
      self.weight = 1
      return
    }
    // A weight of 0 says that the language is not wanted.
    guard let weight = Double(weight.dropFirst(2)), weight > 0, weight <= 1 else { return nil }
    self.weight = weight
  }
}
