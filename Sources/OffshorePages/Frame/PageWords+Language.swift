public import OffshorePresentation
public import OffshoreWeb

extension PageWords {
  /// Returns the words of every page in a language.
  public static func `in`(_ language: Language) -> PageWords {
    PageWords(
      language: language.code,
      skip: LocalizedText(en: "Skip to content", ru: "К содержанию").in(language),
      disconnected: LocalizedText(
        en: "The app cannot be reached. Trying again…",
        ru: "Приложение недоступно. Пробуем снова…"
      ).in(language),
      notSent: LocalizedText(
        en: "That did not work. Try again.", ru: "Не получилось. Попробуйте ещё раз."
      ).in(language),
      dismiss: LocalizedText(en: "Dismiss", ru: "Скрыть").in(language))
  }
}
