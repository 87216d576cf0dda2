import OffshorePresentation

extension LocalizedText {
  static let appName = LocalizedText(en: "Packing List", ru: "Что взять")
  static let lists = LocalizedText(en: "Lists", ru: "Списки")
  static let newList = LocalizedText(en: "New list", ru: "Новый список")
  static let title = LocalizedText(en: "Title", ru: "Название")
  static let note = LocalizedText(en: "Note", ru: "Заметка")
  static let noLists = LocalizedText(en: "No lists yet", ru: "Списков пока нет")
  static let makeOne = LocalizedText(
    en: "Make one for your next trip.", ru: "Создайте список для ближайшей поездки.")
  static let thing = LocalizedText(en: "Thing", ru: "Вещь")

  static func packed(_ count: Int, of total: Int) -> LocalizedText {
    LocalizedText(en: "\(count) of \(total) packed", ru: "Собрано \(count) из \(total)")
  }
}
