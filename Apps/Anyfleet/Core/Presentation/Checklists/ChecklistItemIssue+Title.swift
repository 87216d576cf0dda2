public import OffshorePresentation

extension ChecklistItemIssue {
  /// What it is called on screen.
  public var title: LocalizedText {
    switch self {
    case .ok: LocalizedText(en: "OK", ru: "В порядке")
    case .issue: LocalizedText(en: "Problem", ru: "Неисправность")
    case .missing: LocalizedText(en: "Missing", ru: "Отсутствует")
    case .damaged: LocalizedText(en: "Damaged", ru: "Повреждено")
    case .notApplicable: LocalizedText(en: "Not applicable", ru: "Не относится")
    }
  }

  /// Whether something is wrong that somebody should see to.
  public var isProblem: Bool {
    switch self {
    case .issue, .missing, .damaged: true
    case .ok, .notApplicable: false
    }
  }
}
