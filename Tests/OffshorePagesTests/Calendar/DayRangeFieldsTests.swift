import OffshoreCalendar
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// The fields for a range of days.
@MainActor struct DayRangeFieldsTests {
  private let say = Localizer(.english, calendar: .utc)

  private func fields(_ first: String, _ last: String) -> DayRangeFields {
    DayRangeFields(PageForm(["first": first, "last": last]))
  }

  @Test func `A range is typed and read`() throws {
    let range = fields("2027-06-01", "2027-06-03")
    let days = try #require(range.days)
    #expect("\(days.lowerBound) \(days.upperBound)" == "2027-06-01 2027-06-03")
    #expect(DayRangeFields(days) == range)
    #expect(!range.html(say).description.contains("aria-invalid"))
  }

  @Test(arguments: [
    ("2027-02-31", "2027-06-03", "There is no such day."),
    ("2027-06-01", "", "There is no such day."),
    ("2027-06-02", "2027-06-01", "The last day lies before the first."),
  ])
  func `A range that does not exist is explained beside the typed texts`(
    _ first: String, _ last: String, _ sentence: String
  ) {
    let range = fields(first, last)
    #expect(range.days == nil)
    let markup = range.html(say).description
    #expect(markup.contains(sentence) && markup.contains(#"value="\#(first)""#))
  }
}
