import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// The number of shown entries, and the link to more.
@MainActor struct ShownCountTests {
  private let say = Localizer(.english, calendar: .utc)

  @Test(arguments: [("90", 90), ("2", 30), ("-1", 30), ("many", 30)])
  func `At least one page is shown`(_ value: String, _ count: Int) {
    #expect(ShownCount(["count": value], pageSize: 30).count == count)
    #expect(ShownCount([:], pageSize: 30).count == 30)
  }

  @Test func `The link keeps the other fields of the query`() {
    let shown = ShownCount(["q": "bura", "count": "60"], pageSize: 30)
    let link = shown.more(of: 61, at: "/harbors", say).description
    #expect(link.contains(#"href="/harbors?q=bura&amp;count=90""#))
    #expect(link.contains("Show more"))
  }

  @Test func `There is no link if all entries are shown`() {
    #expect(ShownCount([:], pageSize: 30).more(of: 30, at: "/harbors", say).description == "")
  }
}
