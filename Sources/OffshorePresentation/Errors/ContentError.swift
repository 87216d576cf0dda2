/// A failure about requested content.
public enum ContentError: Error, Equatable, Sendable {
  /// The content does not exist, or was deleted.
  case notFound
  /// The content is damaged, or its format is unknown.
  case unreadable
  /// The content is larger than allowed.
  case tooLarge
  /// The server allows no more items of this kind.
  case limitReached
}

extension ContentError {
  /// A sentence for the user about the failure.
  var message: LocalizedText {
    switch self {
    case .notFound:
      LocalizedText(
        en: "This does not exist, or not any more.", ru: "Этого нет или больше нет.")
    case .unreadable:
      LocalizedText(en: "This cannot be read.", ru: "Это не удаётся прочитать.")
    case .tooLarge: LocalizedText(en: "This is too large.", ru: "Это слишком большое.")
    case .limitReached:
      LocalizedText(
        en: "There are as many as the server allows.", ru: "Больше сервер не разрешает.")
    }
  }

  /// A sentence for the user about a remedy.
  var suggestion: LocalizedText {
    switch self {
    case .notFound: .chooseAnotherHint
    case .unreadable:
      LocalizedText(
        en: "Make it anew, or restore a backup.",
        ru: "Создайте заново или восстановите из резервной копии.")
    case .tooLarge:
      LocalizedText(en: "Choose something smaller.", ru: "Выберите что-нибудь поменьше.")
    case .limitReached:
      LocalizedText(
        en: "Remove what is not needed any more, and try again.",
        ru: "Уберите то, что больше не нужно, и попробуйте ещё раз.")
    }
  }
}
