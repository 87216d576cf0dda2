import OffshoreCalendar
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// Links to the pages before and after.
@MainActor struct StepLinksTests {
  private let say = Localizer(.english, calendar: .utc)

  @Test func `The links are named after their pages`() {
    let markup = StepLinks(
      previous: PageLink("May", to: "/may"), next: PageLink("July", to: "/july"), say
    ).html.description
    #expect(markup.contains(#"href="/may" aria-label="Previous: May""#))
    #expect(markup.contains(#"href="/july" aria-label="Next: July""#))
  }

  @Test func `The months around one are linked by their names`() throws {
    let month = try #require(CalendarMonth(year: 2027, month: 1))
    let markup = StepLinks(around: month, say) { "/totals?month=\($0)" }.html.description
    #expect(markup.contains(#"href="/totals?month=2026-12" aria-label="Previous: December 2026""#))
    #expect(markup.contains(#"href="/totals?month=2027-02" aria-label="Next: February 2027""#))
  }

  @Test func `The first page and the last one have one link`() {
    let first = StepLinks(previous: nil, next: PageLink("July", to: "/july"), say)
    #expect(!first.html.description.contains("Previous"))
    let last = StepLinks(previous: PageLink("May", to: "/may"), next: nil, say)
    #expect(!last.html.description.contains("Next"))
  }
}
