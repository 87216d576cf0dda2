import Foundation
import Observation
import OffshoreHTTP
import Testing

@testable import OffshoreWeb

struct IconsTests {
  private static let plus = #"<?xml version="1.0"?><svg viewBox="0 0 16 16"><path d="M0 0"/></svg>"#
  private static let drawn = #"""
    <svg class="icon" aria-hidden="true">\#
    <use href="/assets/icons/plus-lg.svg#icon" width="100%" height="100%"></use></svg>
    """#
  private static let text = #"<span class="icon-text" aria-hidden="true">+</span>"#

  /// Creates a folder with an icon and other files, and removes it afterwards.
  private func withFolder(_ body: (Icons) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (file, content) in [
      ("plus-lg.svg", Self.plus), ("broken.svg", "not a drawing"), ("secret.txt", "secret"),
    ] {
      try Data(content.utf8).write(to: folder.appendingPathComponent(file))
    }
    try body(Icons(folder: folder.path))
  }

  private func markup(_ name: String, _ icons: Icons) -> String {
    String(
      decoding: Icon(name, text: "+").html.bytes(for: RenderContext(icons: icons)), as: UTF8.self)
  }

  @Test func `An icon with a drawing is drawn in the color of the text`() throws {
    #expect(markup("plus-lg", Icons(["plus-lg": Self.plus])) == Self.drawn)
    try withFolder { icons in
      #expect(markup("plus-lg", icons) == Self.drawn)
      let response = try icons.response(for: "plus-lg.svg")
      #expect(response.headers["Content-Type"] == "image/svg+xml")
      #expect(response.text.contains(#"<svg id="icon" viewBox="0 0 16 16">"#))
    }
  }

  @Test func `A framed document contains its drawings`() {
    func framed(_ drawing: String) -> String {
      var bytes: [UInt8] = []
      let context = RenderContext(icons: Icons(["plus-lg": drawing]), isFramed: true)
      Icon("plus-lg", text: "+").html.write(to: &bytes, for: context)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      framed(Self.plus)
        == #"<svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><path d="M0 0"/></svg>"#)
    // A drawing of another size is a reference, as in any document.
    #expect(framed(Self.plus.replacing("16 16", with: "32 32")) == Self.drawn)
  }

  @Test func `An icon without a drawing is a text`() throws {
    #expect(markup("plus-lg", Icons(folder: "/nowhere")) == Self.text)
    #expect(markup("plus-lg", Icons([:])) == Self.text)
    try withFolder { #expect(markup("minus", $0) == Self.text) }
  }

  @Test(arguments: [
    "secret.txt", "../plus-lg.svg", "plus-lg", ".svg", "", "broken.svg", "/etc/passwd",
    "..%2Fplus-lg.svg", "plus-lg.svg\0",
  ])
  func `Only drawings of the folder are served`(file: String) throws {
    try withFolder { icons in
      #expect(throws: HTTPError.self) { try icons.response(for: file) }
    }
  }

  /// A page with an icon in a part that changes.
  fileprivate struct PlusPage: LivePage {
    @MainActor @Observable final class Model { var isEven = true }

    let model: Model

    func page(_ tab: Tab) -> Page {
      Page("Plus", navigation: PageNavigation("Parts", [item])) {
        tab.region("sum") {
          p { model.isEven ? "Even" : "Odd" }
          Icon("plus-lg", text: "+")
        }
      }
    }

    private var item: PageNavigation.Item {
      .init("Plus", to: "/", icon: Icon("plus-lg", text: "+"), isCurrent: true)
    }
  }

  @Test(arguments: [(Icons(["plus-lg": plus]), drawn), (Icons([:]), text)])
  @MainActor func `A page and its changes have the icons of its tabs`(
    icons: Icons, markup: String
  ) async throws {
    let (model, tabs) = (PlusPage.Model(), TabRegistry(icons: icons, clock: ManualClock()))
    var router = Router()
    router.addLivePages(tabs)
    router.get("") { try await tabs.open($0) { PlusPage(model: model) } }
    let browser = Browser(router: router)
    let page = try await browser.open("/")
    #expect(page.html.count(of: markup) == 2)
    let stream = try await browser.listen(page.tab, after: 0)
    model.isEven = false
    #expect(try await stream.nextChange().html.count(of: markup) == 1)
    let drawing = await router.respond(to: Request(.get, "/assets/icons/plus-lg.svg"))
    #expect((drawing.status == .ok) == icons.contains("plus-lg"))
  }
}
