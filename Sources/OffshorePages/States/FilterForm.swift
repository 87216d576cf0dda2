import OffshoreCalendar
public import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// A search field above a list, with further conditions, such as a choice or a range of days.
///
/// The conditions are collapsed unless one is set. The address has the fields of the query.
@MainActor public struct FilterForm: Component {
  /// A condition besides the text.
  public enum Condition {
    /// One of some values, which are in the query by their names.
    case choice(_ name: String, LocalizedText, [Field.Choice])
    /// A day.
    case day(_ name: String, LocalizedText)
  }

  /// The form.
  public let html: HTML

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - title: the label of the field for a text, which is the field `q` of the query.
  ///   - query: the fields of the current search.
  ///   - address: the address of the list.
  public init(
    _ title: LocalizedText, _ conditions: [Condition], query: Fields, to address: String,
    _ say: Localizer
  ) {
    func text(_ name: String) -> String { query[name] ?? "" }
    func field(_ condition: Condition) -> Field {
      switch condition {
      case .choice(let name, let title, let choices):
        Field(
          say(title), name: name, value: text(name),
          kind: .choice([Field.Choice("", say(.any))] + choices))
      case .day(let name, let title):
        Field(
          say(title), name: name, value: text(name), kind: .input(.date),
          error: text(name).isEmpty || CalendarDay(text(name)) != nil ? nil : say(.noSuchDay))
      }
    }
    let isOpen = conditions.contains { !text($0.name).isEmpty }
    html = form(
      .method(.get), .action(address), .class("search"), .role(.search), .id("search")
    ) {
      SearchForm.textField(say(title), text("q"))
      details(.class("section"), .id("conditions"), .open(isOpen)) {
        summary { h2 { say(.conditions) } }
        div(.class("pair")) { for condition in conditions { field(condition) } }
        SubmitButton(say(.apply))
      }
    }
  }
}

extension FilterForm.Condition {
  fileprivate var name: String {
    switch self {
    case .choice(let name, _, _), .day(let name, _): name
    }
  }
}

extension LocalizedText {
  fileprivate static let any = LocalizedText(en: "Any", ru: "Любое")
  fileprivate static let apply = LocalizedText(en: "Apply", ru: "Применить")
  fileprivate static let conditions = LocalizedText(en: "More conditions", ru: "Ещё условия")
}
