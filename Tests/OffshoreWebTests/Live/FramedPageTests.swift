import OffshoreHTTP
import Testing

@testable import OffshoreWeb

@MainActor struct FramedPageTests {
  private struct PlainPage: LivePage {
    func page(_ tab: Tab) -> Page { Page("Plain") { Icon("plus-lg", text: "+") } }
  }

  /// Opens the page as a browser does for a destination.
  private func html(for destination: String?) async throws -> String {
    let drawing = #"<svg viewBox="0 0 16 16"><path d="M0 0"/></svg>"#
    let tabs = TabRegistry(icons: Icons(["plus-lg": drawing]))
    var request = Request(.get, "/")
    request.headers["Sec-Fetch-Dest"] = destination
    let response = try await tabs.open(request) { PlainPage() }
    await tabs.close()
    return String(decoding: response.bytes, as: UTF8.self)
  }

  @Test func `A document that an iframe requests is marked, and refers to no drawings`()
    async throws
  {
    let framed = try await html(for: "iframe")
    #expect(framed.contains(#"<html lang="en" class="framed">"#))
    #expect(framed.contains(#"<path d="M0 0"/>"#) && !framed.contains("<use"))
    for destination in ["document", nil] {
      let other = try await html(for: destination)
      #expect(other.contains(#"<html lang="en">"#) && other.contains("<use"))
    }
  }
}
