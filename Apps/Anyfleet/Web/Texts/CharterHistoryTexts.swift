import Anyfleet
import Foundation
import OffshorePresentation

// What the page says on which it stands what was decided of a charter.

extension LocalizedText {
  static let charterHistoryExplained = LocalizedText(
    en: """
      Where two changed the same without knowing of each other, the later one stays. What was removed \
      stays removed.
      """,
    ru: """
      Если двое изменили одно и то же, не зная друг о друге, остаётся более позднее. Удалённое \
      остаётся удалённым.
      """)
  static let noCharterHistoryText = LocalizedText(
    en: "Nobody has changed this charter at the same time as somebody else.",
    ru: "Этот чартер никто не менял одновременно с другими.")

  /// How many decisions a charter's history has.
  static func decisions(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# change was made at the same time as another",
        other: "# changes were made at the same time as others"),
      ru: .init(
        one: "# изменение сделано одновременно с другим",
        few: "# изменения сделаны одновременно с другими",
        many: "# изменений сделано одновременно с другими"))
  }

  /// What a decision is about, such as “Boat:”.
  static func subject(of decision: CharterDecision) -> LocalizedText {
    let field = decision.lost.value.fieldName
    guard case .checklist(let title) = decision.subject else {
      return LocalizedText { "\(field.in($0)):" }
    }
    let name = title.map { LocalizedText(en: "“\($0)”", ru: "«\($0)»") } ?? .checklist
    return LocalizedText { "\(name.in($0)), \(field.in($0).lowercased()):" }
  }

  /// What stayed and what did not.
  /// - Parameters:
  ///   - say: spells days and amounts.
  ///   - told: says when something was, such as “at 10:41”.
  static func decision(
    _ decision: CharterDecision, _ say: Speaker, told: (Date) -> LocalizedText
  ) -> LocalizedText {
    let (stayed, lost) = (
      said(value(decision.stayed.value, say), decision.stayed, told(decision.stayed.date)),
      said(value(decision.lost.value, say), decision.lost, told(decision.lost.date))
    )
    let removed = LocalizedText(
      en: "as what is removed stays removed", ru: "потому что удалённое остаётся удалённым")
    return .decided(stayed, lost, because: decision.reason == .ended ? removed : nil)
  }

  /// What somebody said, such as “Alma”.
  static func value(_ value: CharterDecision.Value, _ say: Speaker) -> LocalizedText {
    switch value {
    case .name(let text), .title(let text), .boat(let text?), .destination(let text?),
      .region(let text?), .description(let text?), .checkIn(true, let text?):
      LocalizedText(en: "“\(text)”", ru: "«\(text)»")
    case .boat(nil), .destination(nil), .region(nil), .description(nil), .budget(nil),
      .checkIn(false, _):
      LocalizedText(en: "none", ru: "пусто")
    case .checkIn(true, nil): .checklist
    case .firstDay(let day), .lastDay(let day): LocalizedText(verbatim: say.civilDayRange(day, day))
    case .days(let first, let last): LocalizedText(verbatim: say.civilDayRange(first, last))
    case .guests(let count), .place(let count): LocalizedText(verbatim: say.number(count))
    case .crew(let crew): .crew(crew)
    case .budget(let budget?):
      LocalizedText(verbatim: say.currency(budget.amount, budget.currencyCode))
    case .archived(let isOn): isOn ? .inArchive : .notInArchive
    case .items(let count, let own): .items(count, own)
    case .removed: LocalizedText(en: "removed", ru: "удалено")
    }
  }

  // MARK: - Parts

  private static let inArchive = LocalizedText(en: "put away", ru: "в архиве")
  private static let notInArchive = LocalizedText(en: "not put away", ru: "не в архиве")
  /// How many titles of items are told.
  private static let toldItems = 3

  private static func crew(_ crew: [CrewMember]) -> LocalizedText {
    guard !crew.isEmpty else { return LocalizedText(en: "nobody", ru: "никого") }
    return LocalizedText { language in
      crew.map { "\($0.name) (\($0.role.title.in(language).lowercased()))" }
        .joined(separator: ", ")
    }
  }

  private static func items(_ count: Int, _ own: [String]) -> LocalizedText {
    let all = LocalizedText.counted(
      count, en: .init(one: "# item", other: "# items"),
      ru: .init(one: "# пункт", few: "# пункта", many: "# пунктов"))
    guard !own.isEmpty else { return all }
    let more = own.count > toldItems ? "…" : ""
    let told = own.prefix(toldItems)
    return LocalizedText(
      en: "\(all.in(.english)) with \(told.map { "“\($0)”" }.joined(separator: ", "))\(more)",
      ru:
        "\(all.in(.russian)), в том числе \(told.map { "«\($0)»" }.joined(separator: ", "))\(more)")
  }
}

extension CharterDecision.Value {
  /// What that is called of which it is said.
  fileprivate var fieldName: LocalizedText {
    let names = FieldNames.charter
    return switch self {
    case .name: names["name"]
    case .boat: names["vessel"]
    case .destination: names["destination"]
    case .region: names["region"]
    case .firstDay: names["startDate"]
    case .lastDay: names["endDate"]
    case .days: .dates
    case .checkIn: .checkIn
    case .guests: names["guests"]
    case .crew: .crew
    case .budget: names["budget"]
    case .archived: LocalizedText(en: "Archive", ru: "Архив")
    case .title: names["title"]
    case .description: names["description"]
    case .items: LocalizedText(en: "Items", ru: "Пункты")
    case .place: LocalizedText(en: "Place", ru: "Место")
    case .removed: .checklist
    }
  }
}
