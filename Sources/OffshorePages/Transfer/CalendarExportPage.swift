import Observation
import OffshoreCalendar
import OffshoreHTTP
package import OffshorePresentation
import OffshoreWeb

/// The page on which a calendar file is downloaded, and the address to subscribe to is created.
final class CalendarExportPage: RoutedPage, Observable {
  private let frame: AppFrame
  private let feed: SecretAddressForm
  @Observed private var range: DayRangeFields

  init(_ frame: AppFrame, _ export: CalendarExport) {
    self.frame = frame
    feed = SecretAddressForm(export.feed)
    range = DayRangeFields(CalendarMonth(containing: export.today.day).days)
  }

  private var say: Localizer { frame.say }

  func load() async throws { try await feed.load() }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.calendarFile), in: .profile, back: frame.backToProfile) {
      tab.region("range") { [self] in
        PostForm(to: tab.address, id: "range-form") {
          range.html(say)
          SubmitButton(say(.download), action: "export")
        }
      }
      h2 { say(.subscription) }
      p { say(.subscriptionExplained) }
      tab.region("subscription") { [self] in feed.html(to: tab.address, say) }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if let outcome = try await feed.perform(form) { return outcome }
    guard form.action == "export" else { throw form.unknownAction }
    range = DayRangeFields(form)
    guard let days = range.days else { return .invalid }
    return .go(to: CalendarFileRoute.file(days.lowerBound, days.upperBound).address)
  }
}

extension LocalizedText {
  /// The title of the page with calendar files.
  package static let calendarFile = LocalizedText(en: "Calendar file", ru: "Файл календаря")
  fileprivate static let download = LocalizedText(en: "Download the file", ru: "Скачать файл")
  fileprivate static let subscription = LocalizedText(en: "Subscription", ru: "Подписка")
  fileprivate static let subscriptionExplained = LocalizedText(
    en: "A calendar app on this device can subscribe by an address with a secret.",
    ru: "Календарь на этом устройстве может подписаться по адресу с секретом.")
}
