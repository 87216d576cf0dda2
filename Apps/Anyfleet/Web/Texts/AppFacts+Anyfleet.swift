import Anyfleet
import OffshorePages
import OffshorePresentation

extension AppFacts {
  /// The facts about Anyfleet.
  static let anyfleet = AppFacts(
    version: AppVersion.current,
    purpose: LocalizedText(
      en:
        "Anyfleet is for skippers who charter yachts: it plans charters, and runs checklists on board "
        + "with progress that belongs to one charter alone.",
      ru:
        "Anyfleet — для шкиперов, которые арендуют яхты: планирование чартеров и чек-листы на борту, "
        + "с отдельным прогрессом для каждого чартера."),
    licence: LocalizedText(
      en: "Anyfleet is free software under the MIT licence.",
      ru: "Anyfleet — свободная программа под лицензией MIT."),
    kinds: [
      "charters": .charter, "charterChecklists": .checklist,
      "checklistExecutionStates": LocalizedText(en: "Progress", ru: "Прогресс"),
      "checklistItemNotes": .note,
      "flashcardProgress": LocalizedText(en: "Study progress", ru: "Ход изучения"),
      "activeCharters": LocalizedText(en: "Active charter", ru: "Текущий чартер"),
    ].merging(Library.names) { first, _ in first }, serverCommand: "offshore-apps --server URL")
}
