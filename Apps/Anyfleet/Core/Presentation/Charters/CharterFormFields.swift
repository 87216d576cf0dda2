import Foundation
import OffshoreCalendar
import OffshorePresentation

/// The fields of a charter's form.
enum CharterFormFields {
  private typealias Field = DraftField<CharterFormState>

  /// Returns all fields of the form.
  ///
  /// - Parameters:
  ///   - language: the language in which amounts are typed.
  ///   - checklists: returns the checklists to choose from for a new charter.
  static func all(
    in language: Language, of checklists: (@MainActor @Sendable () -> [DraftChoice])? = nil
  ) -> [DraftField<CharterFormState>] {
    let names = FieldNames.charter
    let fields: [Field] = [
      .line(
        "name", \.name, label: names["name"],
        hint: .init(
          en: "What you call it, such as Kornati week.",
          ru: "Как вы его называете, например «Неделя в Корнатах»."),
        limit: CharterModel.maximumNameLength, isRequired: true,
        missing: AppError.validation(.emptyName).localizedMessage),
      .day(
        "startDate", \.startDay, label: names["startDate"], isRequired: true,
        missing: .init(en: "Enter the first day.", ru: "Введите первый день.")
      ).grouped("days"),
      .day(
        "endDate", \.endDay, label: names["endDate"], isRequired: true,
        missing: .init(en: "Enter the last day.", ru: "Введите последний день.")
      ).grouped("days").checking {
        $0.endsBeforeItStarts ? AppError.validation(.invalidDateRange).localizedMessage : nil
      },
      .line(
        "vessel", \.vessel, label: names["vessel"],
        hint: .init(
          en: "The boat’s name or type. Optional.", ru: "Название или тип. Необязательно."),
        limit: CharterModel.maximumVesselLength
      ).explaining(.vesselNameTooLong),
    ]
    let moreFields: [Field] = [
      .line(
        "destination", \.destination, label: names["destination"],
        hint: .init(
          en: "The marina or the place you sail to. Optional.",
          ru: "Марина или место, куда вы идёте. Необязательно."),
        limit: CharterModel.maximumPlaceLength),
      .line(
        "region", \.region, label: names["region"],
        hint: .init(en: "The sailing area. Optional.", ru: "Район плавания. Необязательно."),
        limit: CharterModel.maximumPlaceLength),
      .number(
        "guests", \.guests, label: names["guests"], hint: .guestHint, in: CharterModel.guestLimits
      ).explaining(.guestLimits),
      .rows(
        "crew", values: \.namedCrew, label: .crew,
        hint: .init(
          en: "The crew that sails along. A member without a name is removed from the list.",
          ru: "Кто идёт с вами. Участник без имени убирается из списка."),
        fields: { _ in CrewMember.fields },
        title: { LocalizedText(en: "Crew member \($0)", ru: "Член команды \($0)") },
        add: .init(en: "Add crew member", ru: "Добавить члена команды"),
        new: { CrewMember(name: "", role: .crew) }),
    ]
    return fields + (checklists.map { [checklistField($0)] } ?? [])
      + (moreFields + budgetFields(in: language)).map { $0.underMore() }
  }

  /// Returns the fields of the budget, which are merged as one value, because all amounts share the
  /// currency.
  private static func budgetFields(in language: Language) -> [Field] {
    let fields: [Field] = [
      .amount(
        "budget", \.budgetAmount, label: FieldNames.charter["budget"],
        hint: .init(
          en: "Such as 1200 or 1,200.50. Without it, its lines are added up. Optional.",
          ru: "Например 1200 или 1\u{a0}200,50. Если не указан, складываются его строки. "
            + "Необязательно."),
        in: language, currency: \.currencyCode),
      .currency("currency", \.currencyCode, label: FieldNames.charter["currency"], in: language),
      .rows(
        "lines", values: \.budgetLines, label: .init(en: "Budget lines", ru: "Строки бюджета"),
        fields: {
          CharterBudget.Line.fields(
            in: $0?.currencyCode ?? CharterFormState.defaultCurrency, language)
        },
        title: { LocalizedText(en: "Budget line \($0)", ru: "Строка бюджета \($0)") },
        add: .init(en: "Add budget line", ru: "Добавить строку бюджета"),
        new: { CharterBudget.Line(title: "", amount: .nan) }),
    ]
    return fields.map { $0.grouped("budget", label: FieldNames.charter["budget"]) }
  }

  private static func checklistField(
    _ checklists: @escaping @MainActor @Sendable () -> [DraftChoice]
  ) -> Field {
    .choices(
      "checklists", \.checklistIDs,
      label: .init(en: "Checklists to take along", ru: "Какие чек-листы взять с собой"),
      of: checklists)
  }
}

extension CharterFormState {
  /// Whether the last day is before the first one. Times of day are ignored.
  fileprivate var endsBeforeItStarts: Bool {
    guard let startDay, let endDay else { return false }
    return endDay < startDay
  }
}

extension CrewMember {
  fileprivate static let fields: [DraftField<Self>] = [
    .line(
      "name", \.name, label: .init(en: "Name", ru: "Имя"), limit: maximumNameLength),
    .choice("role", \.role, label: .init(en: "Role", ru: "Роль")) { $0.title },
  ]
}

extension CharterBudget.Line {
  /// The maximum number of characters of a title.
  fileprivate static let maximumTitleLength = 80

  /// The entered amount. In a new line, `amount` is NaN.
  fileprivate var enteredAmount: Decimal? {
    get { amount.isNaN ? nil : amount }
    set { amount = newValue ?? .nan }
  }

  fileprivate static func fields(
    in currency: String, _ language: Language
  ) -> [DraftField<Self>] {
    [
      .line(
        "title", \.title, label: .init(en: "Purpose", ru: "На что"),
        limit: maximumTitleLength, isRequired: true,
        missing: .init(
          en: "Enter the purpose, or remove the line.",
          ru: "Введите, на что, или уберите строку.")),
      .amount(
        "amount", \.enteredAmount, label: .init(en: "Amount", ru: "Сумма"), isRequired: true,
        missing: .init(
          en: "Enter the amount, or remove the line.", ru: "Введите сумму или уберите строку."),
        in: language, currency: { _ in currency }),
    ]
  }
}

extension LocalizedText {
  fileprivate static let guestHint = LocalizedText(
    en: "From \(CharterModel.guestLimits.lowerBound) to \(CharterModel.guestLimits.upperBound).",
    ru: "От \(CharterModel.guestLimits.lowerBound) до \(CharterModel.guestLimits.upperBound).")
  fileprivate static let guestLimits = LocalizedText(
    en: "Guests can be \(guestHint.in(.english).lowercased())",
    ru: "Гостей может быть \(guestHint.in(.russian).lowercased())")
  fileprivate static let vesselNameTooLong = LocalizedText.counted(
    CharterModel.maximumVesselLength,
    en: .init(
      one: "The boat's name may have at most # character.",
      other: "The boat's name may have at most # characters."),
    ru: .init(
      one: "Название лодки: максимум # символ.", few: "Название лодки: максимум # символа.",
      many: "Название лодки: максимум # символов."))
}
