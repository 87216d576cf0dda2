extension AppError {
  /// A sentence for the user about a remedy; `nil` if the message suffices.
  public var recoverySuggestion: LocalizedText? {
    switch self {
    case .network(let error): error.suggestion
    case .auth(let error): error.suggestion
    case .content(let error): error.suggestion
    case .sync(let error): error.suggestion
    case .validation: nil
    case .database(let error): error.suggestion
    case .unknown: .tryAgain
    }
  }
}

extension LocalizedText {
  fileprivate static let tryAgain = LocalizedText(en: "Try again.", ru: "Попробуйте ещё раз.")
  fileprivate static let tryAgainSoon = LocalizedText(
    en: "Try again in a moment.", ru: "Попробуйте ещё раз чуть позже.")
  fileprivate static let chooseAnother = LocalizedText(
    en: "Go back and choose another.", ru: "Вернитесь и выберите другое.")

  /// Returns a suggestion with a waiting time, in minutes (rounded up) if it exceeds 90 seconds.
  fileprivate static func tryAgain(after seconds: Int) -> LocalizedText {
    guard seconds <= 90 else { return tryAgain(afterMinutes: (seconds - 1) / 60 + 1) }
    return .counted(
      seconds,
      en: .init(one: "Try again in # second.", other: "Try again in # seconds."),
      ru: .init(
        one: "Попробуйте ещё раз через # секунду.", few: "Попробуйте ещё раз через # секунды.",
        many: "Попробуйте ещё раз через # секунд."))
  }

  private static func tryAgain(afterMinutes minutes: Int) -> LocalizedText {
    .counted(
      minutes,
      en: .init(one: "Try again in # minute.", other: "Try again in # minutes."),
      ru: .init(
        one: "Попробуйте ещё раз через # минуту.", few: "Попробуйте ещё раз через # минуты.",
        many: "Попробуйте ещё раз через # минут."))
  }
}

extension NetworkError {
  fileprivate var suggestion: LocalizedText? {
    switch self {
    case .offline:
      LocalizedText(
        en: "Your changes are kept on this device until there is one.",
        ru: "Ваши изменения хранятся на этом устройстве, пока оно не появится.")
    case .timedOut, .server, .rateLimited(nil): .tryAgainSoon
    case .rateLimited(let seconds?): .tryAgain(after: seconds)
    case .cancelled: nil
    }
  }
}

extension AuthError {
  fileprivate var suggestion: LocalizedText {
    switch self {
    case .notSignedIn:
      LocalizedText(
        en: "Sign in, or continue on this device.",
        ru: "Войдите или продолжайте на этом устройстве.")
    case .invalidCredentials:
      LocalizedText(
        en: "Check both and try again.", ru: "Проверьте имя и пароль и попробуйте ещё раз.")
    case .expired: LocalizedText(en: "Sign in again.", ru: "Войдите ещё раз.")
    case .forbidden:
      LocalizedText(en: "Ask the owner for access.", ru: "Попросите доступ у владельца.")
    case .signUpClosed:
      LocalizedText(
        en: "Ask who runs it for one. They make it by “offshore account add”.",
        ru: """
          Попросите её у того, кто управляет сервером: её создаёт команда «offshore account add».
          """)
    case .nameTaken:
      LocalizedText(
        en: "Sign in to it, or choose another name.", ru: "Войдите в неё или выберите другое имя.")
    case .otherAccount:
      LocalizedText(en: "Sign in to that account.", ru: "Войдите в эту учётную запись.")
    case .invalidInvitation:
      LocalizedText(en: "Ask for a new one.", ru: "Попросите новое.")
    case .lastOwner:
      LocalizedText(
        en: "Make another member an owner first.", ru: "Сначала назначьте другого владельца.")
    }
  }
}

extension ContentError {
  fileprivate var suggestion: LocalizedText {
    switch self {
    case .notFound: .chooseAnother
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

extension SyncError {
  fileprivate var suggestion: LocalizedText {
    switch self {
    case .conflict:
      LocalizedText(
        en: "Look at both versions and choose.", ru: "Посмотрите обе версии и выберите одну.")
    case .rejected:
      LocalizedText(
        en: "Change it and try again, or discard the change.",
        ru: "Исправьте и попробуйте ещё раз или отмените изменение.")
    case .tooOld:
      LocalizedText(
        en: "Update the app. Your changes are kept on this device.",
        ru: "Обновите приложение. Ваши изменения хранятся на этом устройстве.")
    case .paused:
      LocalizedText(en: "Resume it in the settings.", ru: "Возобновите её в настройках.")
    }
  }
}

extension DatabaseFailure {
  fileprivate var suggestion: LocalizedText {
    switch self {
    case .readFailed, .writeFailed: .tryAgain
    case .refused:
      LocalizedText(
        en: "Correct it and try again.", ru: "Исправьте его и попробуйте ещё раз.")
    case .migrationFailed:
      LocalizedText(
        en: "Your data was left as it was. Update the app.",
        ru: "Данные остались как были. Обновите приложение.")
    case .newerVersion:
      LocalizedText(
        en: "Update the app to open it.", ru: "Обновите приложение, чтобы открыть их.")
    case .corrupted:
      LocalizedText(
        en: "Restore a backup to get it back.",
        ru: "Чтобы вернуть её, восстановите резервную копию.")
    case .unreadable:
      LocalizedText(
        en: "It can be deleted. All other data is unaffected.",
        ru: "Её можно удалить. Остальные данные не затронуты.")
    case .notFound: .chooseAnother
    case .full:
      LocalizedText(
        en: "Free some space and try again.", ru: "Освободите место и попробуйте ещё раз.")
    case .busy:
      LocalizedText(
        en: "Close the other program, or try again in a moment.",
        ru: "Закройте другую программу или попробуйте ещё раз чуть позже.")
    }
  }
}
