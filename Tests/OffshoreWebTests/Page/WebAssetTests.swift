import OffshoreHTTP
import Testing

@testable import OffshoreWeb

@MainActor struct WebAssetTests {
  private let app = CounterApp()

  @Test func `The files that a page refers to are served, to be kept for good`() async throws {
    let page = try await app.browser.open("/counter")
    let addresses = page.html.matches(of: /"(\/assets\/[^"]*)"/).map { String($0.output.1) }
    #expect(addresses.count == 2)
    for address in addresses {
      let response = await app.router.respond(to: Request(.get, address))
      #expect(response.status == .ok && response.bytes.count > 1_000)
      #expect(response.headers["Cache-Control"]?.contains("immutable") == true)
      #expect(response.headers["Content-Type"]?.hasPrefix("text/") == true)
    }
  }

  @Test(arguments: ["look.css", "look-0.css", "..%2FPackage.swift", "live-%00.js"])
  func `A file of another version, or none of ours, is not found`(file: String) async {
    let response = await app.router.respond(to: Request(.get, "/assets/\(file)"))
    #expect(response.status == .notFound || response.status == .badRequest)
  }

  @Test func `Style sheet and script together are smaller than 52 KiB`() {
    #expect(WebAsset.look.file.bytes.count + WebAsset.live.file.bytes.count < 52 * 1_024)
  }

  @Test func `Another content has another address`() {
    let first = WebAsset("look", "css", type: "text/css", [1])
    let second = WebAsset("look", "css", type: "text/css", [2])
    #expect(first.address != second.address)
    #expect(first.address == WebAsset("look", "css", type: "text/css", [1]).address)
  }
}

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
