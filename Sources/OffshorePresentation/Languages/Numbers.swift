import Foundation

/// Writes whole numbers, by a format that is made once for each language.
enum Numbers {
  static func text(_ number: Int, in language: Language) -> String {
    switch language {
    case .english: english.format(number)
    case .russian: russian.format(number)
    }
  }

  private static let english = IntegerFormatStyle<Int>(locale: Language.english.locale)
  private static let russian = IntegerFormatStyle<Int>(locale: Language.russian.locale)
}
