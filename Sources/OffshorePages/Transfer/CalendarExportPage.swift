import Observation
import OffshoreCalendar
import OffshoreHTTP
package import OffshorePresentation
import OffshoreWeb

/// The page on which a calendar file is downloaded, and the address to subscribe to is created.
final class CalendarExportPage: RoutedPage, Observable {
  private let frame: AppFrame
  private let feed: SecretAddressForm
  private var texts: [String: String]
  @Observed private var problems: [String: LocalizedText] = [:]

  init(_ frame: AppFrame, _ export: CalendarExport) {
    let days = CalendarMonth(containing: export.today.day).days
    self.frame = frame
    feed = SecretAddressForm(export.feed)
    texts = ["first": "\(days.lowerBound)", "last": "\(days.upperBound)"]
  }

  private var say: Localizer { frame.say }

  func load() async throws { try await feed.load() }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.calendarFile), in: .profile, back: frame.backToProfile) {
      tab.region("range") { [self] in
        PostForm(to: tab.address, id: "range-form") {
          div(.class("pair")) {
            field(.firstDay, "first")
            field(.lastDay, "last")
          }
          SubmitButton(say(.download), action: "export")
        }
      }
      h2 { say(.subscription) }
      p { say(.subscriptionExplained) }
      tab.region("subscription") { [self] in feed.html(to: tab.address, say) }
    }
  }

  private func field(_ title: LocalizedText, _ name: String) -> Field {
    Field(
      say(title), name: name, value: texts[name] ?? "", kind: .input(.date),
      error: problems[name].map { say($0) }, isRequired: true)
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if let outcome = try await feed.perform(form) { return outcome }
    guard form.action == "export" else { throw form.unknownAction }
    problems = [:]
    for name in ["first", "last"] {
      texts[name] = form.text(name)
      if CalendarDay(form.text(name)) == nil { problems[name] = .noSuchDay }
    }
    guard let first = CalendarDay(form.text("first")), let last = CalendarDay(form.text("last"))
    else { return .invalid }
    if last < first { problems["last"] = .lastBeforeFirst }
    return problems.isEmpty ? .go(to: CalendarFileRoute.file(first, last).address) : .invalid
  }
}

extension LocalizedText {
  /// The title of the page with calendar files.
  package static let calendarFile = LocalizedText(en: "Calendar file", ru: "Файл календаря")
  /// The label of the first day of a range.
  package static let firstDay = LocalizedText(en: "First day", ru: "Первый день")
  /// The label of the last day of a range.
  package static let lastDay = LocalizedText(en: "Last day", ru: "Последний день")
  /// The sentence for a range whose end lies before its start.
  package static let lastBeforeFirst = LocalizedText(
    en: "The last day lies before the first.", ru: "Последний день раньше первого.")
  fileprivate static let download = LocalizedText(en: "Download the file", ru: "Скачать файл")
  fileprivate static let subscription = LocalizedText(en: "Subscription", ru: "Подписка")
  fileprivate static let subscriptionExplained = LocalizedText(
    en: "A calendar app on this device can subscribe by an address with a secret.",
    ru: "Календарь на этом устройстве может подписаться по адресу с секретом.")
}
