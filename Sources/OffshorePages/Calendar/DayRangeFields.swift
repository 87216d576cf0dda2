public import OffshoreCalendar
public import OffshorePresentation
public import OffshoreWeb

/// Two fields of a form for the first and the last day of a range, with the typed texts.
///
/// ```swift
/// range = DayRangeFields(form)
/// guard let days = range.days else { return .invalid }  // the fields explain the problem
/// ```
public struct DayRangeFields: Equatable, Sendable {
  private let first: String
  private let last: String

  /// Creates fields with a range.
  public init(_ days: ClosedRange<CalendarDay>) {
    (first, last) = ("\(days.lowerBound)", "\(days.upperBound)")
  }

  /// Creates fields with the texts of a form.
  public init(_ form: PageForm) { (first, last) = (form.text("first"), form.text("last")) }

  /// The range; `nil` if a text is not a day, or if the last day lies before the first.
  public var days: ClosedRange<CalendarDay>? {
    guard let first = CalendarDay(first), let last = CalendarDay(last), first <= last else {
      return nil
    }
    return first...last
  }

  /// Returns the fields, whose names are `first` and `last`.
  @MainActor public func html(_ say: Localizer) -> HTML {
    let areDays = CalendarDay(first) != nil && CalendarDay(last) != nil
    return div(.class("pair")) {
      field("first", .firstDay, first, nil, say)
      field("last", .lastDay, last, areDays && days == nil ? .lastBeforeFirst : nil, say)
    }
  }

  @MainActor private func field(
    _ name: String, _ title: LocalizedText, _ text: String, _ problem: LocalizedText?,
    _ say: Localizer
  ) -> Field {
    let problem = CalendarDay(text) == nil ? .noSuchDay : problem
    return Field(
      say(title), name: name, value: text, kind: .input(.date), error: problem.map { say($0) },
      isRequired: true)
  }
}

extension LocalizedText {
  /// The label of the first day of a range.
  package static let firstDay = LocalizedText(en: "First day", ru: "Первый день")
  /// The label of the last day of a range.
  package static let lastDay = LocalizedText(en: "Last day", ru: "Последний день")
  /// The sentence for a range whose end lies before its start.
  package static let lastBeforeFirst = LocalizedText(
    en: "The last day lies before the first.", ru: "Последний день раньше первого.")
}
