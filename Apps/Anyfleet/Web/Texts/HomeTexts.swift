import OffshorePresentation

// What the first page says.

extension LocalizedText {
  static let sailingNow = LocalizedText(en: "Sailing now", ru: "Сейчас в море")
  static let noActiveCharter = LocalizedText(
    en: "No charter is active. Make one active on its page.",
    ru: "Активного чартера нет. Сделайте чартер активным на его странице.")
  static let nextUp = LocalizedText(en: "Next up", ru: "Ближайшие")
  static let nothingNextUp = LocalizedText(
    en: "Nothing is planned.", ru: "Ничего не запланировано.")
  static let continueChecklist = LocalizedText(
    en: "Continue a checklist", ru: "Продолжить чек-лист")
  static let nothingToContinue = LocalizedText(
    en: "No checklist is half done.", ru: "Незаконченных чек-листов нет.")
  static let yourCharters = LocalizedText(en: "Your charters", ru: "Ваши чартеры")
  static let gettingReady = LocalizedText(en: "Getting ready…", ru: "Готовим…")
  static let welcome = LocalizedText(en: "Welcome Aboard", ru: "Добро пожаловать на борт")
}
