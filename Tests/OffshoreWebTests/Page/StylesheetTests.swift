import OffshoreHTTP
import Testing

@testable import OffshoreWeb

struct StylesheetTests {
  private let sheet = Stylesheet("dock", Array("/* Comment. */\n.glass { width: 1px; }\n".utf8))

  @Test func `A page refers to its stylesheets after that of all pages, below the app's path`()
    throws
  {
    var page = Page("Dock")
    page.stylesheets = [sheet]
    let html = String(decoding: page.bytes(below: "/boats"), as: UTF8.self)
    let look = try #require(html.firstRange(of: WebAsset.look.address))
    let own = try #require(html.firstRange(of: "href=\"/boats\(sheet.address)\""))
    #expect(look.lowerBound < own.lowerBound)
    #expect(!String(decoding: Page("App").bytes, as: UTF8.self).contains(sheet.address))
  }

  @Test func `The file is served without comments, to be kept for good`() async {
    var router = Router()
    router.addStylesheet(sheet)
    let response = await router.respond(to: Request(.get, sheet.address))
    #expect(response.status == .ok)
    #expect(String(decoding: response.bytes, as: UTF8.self) == ".glass{width:1px}")
    #expect(response.headers["Content-Type"] == "text/css; charset=utf-8")
    #expect(response.headers["Cache-Control"]?.contains("immutable") == true)
  }

  @Test func `Other rules have another address`() {
    let other = Stylesheet("dock", Array(".glass { width: 2px; }".utf8))
    #expect(other != sheet && other.address != sheet.address)
    #expect(sheet == Stylesheet("dock", Array(".glass { width: 1px; }".utf8)))
  }
}
