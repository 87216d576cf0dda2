import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

/// The links into the app, as the system or a user opens them.
@MainActor
struct AppLinkTests {
  private let pages: Pages

  init() async throws { pages = try await Pages() }

  private func open(_ link: String) async -> Response {
    await pages.get("/open?" + (["link": link] as Fields).encoded)
  }

  @Test func `A link leads to its page`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    let ids = checklist.matches(of: /[0-9A-F-]{36}/).map { String($0.0) }
    let links = [
      "anyfleet://charter?id=\(ids[0])": charter,
      "anyfleet://execute?charter=\(ids[0])&checklist=\(ids[1])": checklist,
      "anyfleet://charters": "/charters", "anyfleet://profile": "/profile",
      "anyfleet://settings": "/settings", "anyfleet://about": "/about",
      "anyfleet://charter/new": "/charters/new",
      "anyfleet://join?code=x-1": "/join/charter?code=x-1",
    ]
    for (link, page) in links {
      let response = await open(link)
      #expect(response.status == .seeOther, "\(link)")
      #expect(response.headers["Location"] == page, "\(link)")
      #expect(await pages.get(page).status == .ok, "\(page)")
    }
  }

  @Test(arguments: AppTab.allCases)
  func `A tab's link leads to its first page`(tab: AppTab) async {
    let page = await open(tab.link.url(scheme: AppCoordinator.scheme)).headers["Location"]
    #expect(page == (tab == .home ? "/" : "/\(tab.rawValue)"))
  }

  @Test func `Links into the library lead below it`() async {
    let id = UUID()
    for kind in ["checklist", "guide", "deck"] {
      let page = await open("anyfleet://\(kind)?id=\(id)").headers["Location"]
      #expect(page == "/library/\(kind)s/\(id.uuidString)")
    }
  }

  @Test func `A link to a deleted charter leads to a page that says so`() async throws {
    let response = await open("anyfleet://charter?id=\(UUID())")
    #expect(response.status == .seeOther)
    #expect(await pages.get(response.headers["Location"] ?? "").status == .notFound)
  }
}
