import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import Testing

@testable import OffshorePages

/// States, notices and the undo bar in both shipped languages.
struct StateContentTests {
  private let say = Localizer(.english, calendar: Calendar(identifier: .gregorian))

  private func html(_ state: ViewState<Int>, empty: EmptyView? = nil) -> String {
    StateContent(state, say, address: "/ticks", empty: empty) { count in p { "\(count) ticks" } }
      .html
      .description
  }

  @Test func `Each case of a state has its content`() {
    #expect(html(.idle).contains("Loading") && html(.loading).contains("Loading"))
    #expect(html(.loaded(7)) == "<p>7 ticks</p>")
    #expect(html(.empty).isEmpty)
    let empty = EmptyView(title: "No ticks", text: "Tick something.")
    #expect(html(.empty, empty: empty).contains("No ticks"))
  }

  @Test func `The status of a refused image says whether another image helps`() {
    #expect(AppError.content(.imageTooLarge).status == .contentTooLarge)
    for error in [ContentError.wrongImageType, .imageDamaged, .imageFailed] {
      #expect(AppError.content(error).status == .unprocessableContent)
    }
    #expect(AppError.content(.imagesUnavailable).status == .internalServerError)
  }

  @Test func `Trying again is offered only if it may help`() {
    let busy = html(.error(.database(.busy)))
    #expect(busy.contains(#"href="/ticks""#) && busy.contains("Try again"))
    #expect(!html(.error(.database(.notFound))).contains("Try again"))
  }

  @Test func `Entries that are left out are counted, with their places and pages`() {
    let places = ["1", "2"].map { StoredPlace(table: "ticks", column: "number", row: $0) }
    let notices = Notice.all(
      of: places.map { .database(.unreadable($0)) } + [.database(.busy), .database(.busy)])
    #expect(notices.count == 2)
    let html = Notices(notices, say, address: "/ticks") { $0.row == "1" ? "/ticks/1" : nil }.html
      .description
    #expect(html.contains("2 entries cannot be read and are left out."))
    #expect(html.contains(#"<a href="/ticks/1"><code>"#) && html.contains("Refresh"))
    #expect(Notices([], say, address: "/ticks").html.isEmpty)
    #expect(RefreshButton(to: "/ticks", say).html.description.contains(#"action="/ticks""#))
  }

  @Test func `The words of every page are in the language of the page`() {
    #expect(PageTexts.in(.russian).language == "ru" && PageTexts.in(.english) == .english)
  }
}
