import OffshoreHTTP
import OffshoreWeb
import Testing

@testable import AnyfleetWeb

/// The icons of the pages, with and without icons on the system.
@MainActor
struct PageIconsTests {
  @Test func `Pages without icons show texts, and request no drawing`() async throws {
    let pages = try await Pages()
    let bare = Pages(pages.dependencies, icons: Icons([:]))
    for path in ["/", "/charters", "/library", "/profile"] {
      #expect(await pages.get(path).text.contains(#"<svg class="icon""#), "\(path)")
      let page = await bare.get(path)
      #expect(page.status == .ok && page.text.contains("icon-text"), "\(path)")
      #expect(!page.text.contains("/assets/icons/"), "\(path)")
    }
  }

  @Test(
    .enabled(if: Icons.system.contains("house"), "The package bootstrap-icons is not installed."),
    arguments: Icons.namesOfPages)
  func `The package has every icon of the pages`(name: String) {
    #expect(Icons.system.contains(name))
  }
}
