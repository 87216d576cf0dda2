import Foundation
import OffshoreCalendar
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

@MainActor struct ColorMarkTests {
  private let say = Localizer(.english, calendar: .utc)

  @Test func `A mark has the symbol of its color, and is a decoration beside a text`() {
    #expect(
      ColorMark(.green).html.description
        == #"<span class="color-mark color-green" aria-hidden="true">▲</span>"#)
  }

  @Test func `A mark that stands alone has a label, and can have another symbol`() {
    #expect(
      ColorMark(.red, symbol: "✕", label: "Busy").html.description
        == #"<span class="color-mark color-red" role="img" aria-label="Busy">✕</span>"#)
  }

  @Test func `The stylesheet has each color`() async throws {
    var router = Router()
    router.addLivePages(TabRegistry())
    var page = Page("Colors")
    page.stylesheets = [.calendar]
    let html = String(decoding: page.bytes, as: UTF8.self)
    let sheet = try #require(html.firstMatch(of: /\/assets\/calendar-\w+\.css/)).output
    let rules = await router.respond(to: Request(.get, String(sheet))).text
    for color in CalendarColor.allCases { #expect(rules.contains(".\(color.cssClass){--tone:")) }
  }

  @Test func `A color is chosen by its name, with its symbol`() {
    let field = RadioField(colors: "Color", name: "color", value: "teal", say)
    let markup = field.html.description
    #expect(markup.ranges(of: #"type="radio""#).count == CalendarColor.allCases.count)
    #expect(
      markup.contains(
        #"""
        name="color" value="teal" checked>\#
        <span class="color-mark color-teal" aria-hidden="true">◆</span><span>Teal</span></label>
        """#))
    #expect(markup.ranges(of: "checked").count == 1)
    let russian = Localizer(.russian, calendar: .utc)
    let other = RadioField(colors: "Цвет", name: "color", value: "", russian).html.description
    #expect(other.contains("<span>Бирюзовый</span>") && !other.contains("checked"))
  }
}
