import OffshoreHTTP
import Testing

@testable import OffshoreWeb

@MainActor struct WebAssetsTests {
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

  @Test func `Style sheet and script together are smaller than 45 KiB`() {
    #expect(WebAsset.look.file.bytes.count + WebAsset.live.file.bytes.count < 45 * 1_024)
  }

  @Test func `Another content has another address`() {
    let first = WebAsset("look", "css", type: "text/css", [1])
    let second = WebAsset("look", "css", type: "text/css", [2])
    #expect(first.address != second.address)
    #expect(first.address == WebAsset("look", "css", type: "text/css", [1]).address)
  }
}
