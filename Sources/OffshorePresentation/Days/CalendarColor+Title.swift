public import OffshoreCalendar

extension CalendarColor {
  /// The name of the color, such as “Blue”.
  public var title: LocalizedText {
    switch self {
    case .blue: LocalizedText(en: "Blue", ru: "Синий")
    case .teal: LocalizedText(en: "Teal", ru: "Бирюзовый")
    case .green: LocalizedText(en: "Green", ru: "Зелёный")
    case .olive: LocalizedText(en: "Olive", ru: "Оливковый")
    case .orange: LocalizedText(en: "Orange", ru: "Оранжевый")
    case .red: LocalizedText(en: "Red", ru: "Красный")
    case .pink: LocalizedText(en: "Pink", ru: "Розовый")
    case .purple: LocalizedText(en: "Purple", ru: "Фиолетовый")
    case .brown: LocalizedText(en: "Brown", ru: "Коричневый")
    case .gray: LocalizedText(en: "Grey", ru: "Серый")
    }
  }
}
