import OffshoreCalendar
public import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// A search field above a list. The list is updated during typing or, without the script, after the
/// Enter key.
public struct SearchForm: Component {
  /// The form.
  public let html: HTML

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - title: the label of the field.
  ///   - value: the text of the current search.
  ///   - address: the address of the list, which receives the text in the query field `q`.
  ///   - others: the other fields of the query, such as a filter.
  public init(_ title: String, value: String, to address: String, keeping others: Fields = [:]) {
    html = form(
      .method(.get), .action(address), .class("search"), .role(.search), .id("search")
    ) {
      for field in others.items { HiddenValue(field.name, field.value) }
      input(
        .type(.search), .value(value), .id("field-q"), .name("q"), .placeholder(title),
        .ariaLabel(title), .autocomplete("off"))
    }
  }
}

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
      input(
        .type(.search), .value(text("q")), .id("field-q"), .name("q"), .placeholder(say(title)),
        .ariaLabel(say(title)), .autocomplete("off"))
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
  /// The sentence for a text that is not a day.
  package static let noSuchDay = LocalizedText(
    en: "There is no such day.", ru: "Такого дня нет.")
}

/// The end of a list of which only the first entries are shown. The script loads the next entries
/// when the end is nearly scrolled into view.
///
/// The form sends the action `more` to the page of the list. Without the script, it is a link to a
/// page with more entries.
public struct MoreForm: Component {
  /// The form.
  public let html: HTML

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - title: the label of the link.
  ///   - action: the address of the page that performs the action `more`, or `nil` for a link only.
  ///   - address: the address of the page with the next entries.
  public init(_ title: String, action: String?, address: String) {
    let link = p(.class("buttons", "centered")) {
      a(.id("more"), .class("button", "plain"), .href(address)) { title }
    }
    guard let action else {
      html = link
      return
    }
    html = form(.method(.post), .action(action), .id("more-form"), .data("more", "")) {
      HiddenValue("action", "more")
      link
    }
  }
}
