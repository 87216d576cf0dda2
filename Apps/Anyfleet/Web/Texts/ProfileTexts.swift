import OffshorePresentation

// What profile, settings and the pages about the app say.

extension LocalizedText {
  static let usedOnThisDevice = LocalizedText(
    en: "You use Anyfleet on this device, without an account.",
    ru: "Вы пользуетесь Anyfleet на этом устройстве, без учётной записи.")
  static let settings = LocalizedText(en: "Settings", ru: "Настройки")
  static let about = LocalizedText(en: "About Anyfleet", ru: "Об Anyfleet")

  // MARK: - Settings

  /// Said in both languages, for those who do not read the one in use.
  static let languageField = LocalizedText(en: "Language (Язык)", ru: "Язык (Language)")
  static let languageHint = LocalizedText(
    en: "It is used at once, in all open tabs.", ru: "Применяется сразу, во всех открытых вкладках."
  )
  static let useLanguage = LocalizedText(en: "Use This Language", ru: "Использовать этот язык")
  static let yourData = LocalizedText(en: "Your data", ru: "Ваши данные")
  static let dataFile = LocalizedText(en: "Data file", ru: "Файл данных")
  static let version = LocalizedText(en: "Version", ru: "Версия")

  // MARK: - About

  static let whatItIs = LocalizedText(
    en:
      "Anyfleet is for skippers who charter yachts: it plans charters, and runs checklists on board "
      + "with progress that belongs to one charter alone.",
    ru:
      "Anyfleet — для шкиперов, которые арендуют яхты: планирование чартеров и чек-листы на борту, "
      + "с отдельным прогрессом для каждого чартера.")
  static let whereDataStays = LocalizedText(
    en:
      "It works without a network. Everything is kept in a file on this device; with an account also "
      + "on the server that you have chosen, and nowhere else.",
    ru:
      "Работает без сети. Всё хранится в файле на этом устройстве, а с учётной записью — ещё и на "
      + "выбранном вами сервере, и больше нигде.")
  static let licence = LocalizedText(en: "Licence", ru: "Лицензия")
  static let licenceText = LocalizedText(
    en: "Anyfleet is free software under the MIT licence.",
    ru: "Anyfleet — свободная программа под лицензией MIT.")

  // MARK: - Links

  static let openALink = LocalizedText(en: "Open a Link", ru: "Открыть ссылку")
  static let link = LocalizedText(en: "Link", ru: "Ссылка")
  static let linkHint = LocalizedText(
    en: "A link into the app, which begins with anyfleet://.",
    ru: "Ссылка в приложение, начинается с anyfleet://.")
  static let openLink = LocalizedText(en: "Open", ru: "Открыть")
  static let linkUnreadable = LocalizedText(
    en: "This is not a link into Anyfleet. Check that it is complete.",
    ru: "Это не ссылка в Anyfleet. Проверьте, что она полная.")
  static let linkLeadsNowhere = LocalizedText(
    en: "This link leads nowhere in Anyfleet. Check that it is complete.",
    ru: "В Anyfleet нет такой страницы. Проверьте, что ссылка полная.")
}
