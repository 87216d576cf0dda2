import OffshorePresentation

// The texts of profile and settings, and of the pages about the app.

extension LocalizedText {
  static let profile = LocalizedText(en: "Profile", ru: "Профиль")
  static let settings = LocalizedText(en: "Settings", ru: "Настройки")

  static func usedOnThisDevice(_ app: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: "You use \(app) on this device, without an account.",
      ru: "Вы пользуетесь приложением \(app) на этом устройстве, без учётной записи.")
  }

  static func about(_ app: LocalizedText) -> LocalizedText {
    LocalizedText(en: "About \(app)", ru: "О приложении \(app)")
  }

  // MARK: - Settings

  /// The label of the language field, in both languages, for users who cannot read the current one.
  static let languageField = LocalizedText(en: "Language (Язык)", ru: "Язык (Language)")
  static let languageHint = LocalizedText(
    en: "It is used at once, in all open tabs.", ru: "Применяется сразу, во всех открытых вкладках."
  )
  static let useLanguage = LocalizedText(en: "Use this language", ru: "Использовать этот язык")
  static let yourData = LocalizedText(en: "Your data", ru: "Ваши данные")
  static let dataFile = LocalizedText(en: "Data file", ru: "Файл данных")
  static let version = LocalizedText(en: "Version", ru: "Версия")

  // MARK: - About

  static let whereDataStays = LocalizedText(
    en:
      "It works without a network. Everything is kept in a file on this device; with an account also "
      + "on the server that you have chosen, and nowhere else.",
    ru:
      "Работает без сети. Всё хранится в файле на этом устройстве, а с учётной записью — ещё и на "
      + "выбранном вами сервере, и больше нигде.")
  static let licence = LocalizedText(en: "Licence", ru: "Лицензия")

  // MARK: - Links

  static let openALink = LocalizedText(en: "Open a link", ru: "Открыть ссылку")
  static let link = LocalizedText(en: "Link", ru: "Ссылка")
  static let openLink = LocalizedText(en: "Open", ru: "Открыть")

  static func linkHint(_ scheme: String) -> LocalizedText {
    LocalizedText(
      en: "A link into the app, which begins with \(scheme)://.",
      ru: "Ссылка в приложение, начинается с \(scheme)://.")
  }

  static func linkUnreadable(_ app: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: "This is not a link into \(app). Check that it is complete.",
      ru: "Это не ссылка в приложение \(app). Проверьте, что она полная.")
  }

  static func linkLeadsNowhere(_ app: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: "This link leads nowhere in \(app). Check that it is complete.",
      ru: "В приложении \(app) нет такой страницы. Проверьте, что ссылка полная.")
  }
}
