import AnyfleetTestSupport
import Foundation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// The screens' links, and where they lead.
@MainActor
struct AppRouteTests {
  nonisolated private static let first = UUID()
  nonisolated private static let second = UUID()

  nonisolated static let all: [AppRoute] = [
    .createCharter, .charterDetail(first), .editCharter(first), .checklistList,
    .checklistDetail(first), .createChecklist, .editChecklist(first),
    .executeChecklist(charterID: first, checklistID: second), .join(code: "x-_1"),
    .library, .guideDetail(first),
    .deckDetail(first), .profile, .settings, .about,
  ]

  @Test(arguments: all)
  func `A route's link leads back to it, also as text`(route: AppRoute) throws {
    #expect(AppRoute(route.link) == route)
    let text = route.link.url(scheme: AppCoordinator.scheme)
    #expect(text.hasPrefix("anyfleet://"))
    #expect(AppRoute(try DeepLink(text, scheme: AppCoordinator.scheme)) == route)
  }

  @Test func `No two routes have one link`() {
    #expect(Set(Self.all.map(\.link)).count == Self.all.count)
  }

  @Test(arguments: AppTab.allCases)
  func `A tab's link leads back to it`(tab: AppTab) {
    #expect(AppTab(tab.link) == tab)
  }

  @Test func `The links that others write lead where they say`() throws {
    let (charter, checklist) = (Self.first, Self.second)
    let links = [
      "anyfleet://charter?id=\(charter)": AppRoute.charterDetail(charter),
      "anyfleet://checklist?id=\(checklist)": .checklistDetail(checklist),
      "anyfleet://execute?charter=\(charter)&checklist=\(checklist)":
        .executeChecklist(charterID: charter, checklistID: checklist),
      "ANYFLEET://charter/?from=mail&id=\(charter.uuidString.lowercased())#top":
        .charterDetail(charter),
    ]
    for (text, route) in links {
      #expect(AppRoute(try DeepLink(text, scheme: AppCoordinator.scheme)) == route, "\(text)")
    }
  }

  @Test(arguments: all)
  func `A link puts the screen over its parents on its tab, and its address is the link`(
    route: AppRoute
  ) {
    let coordinator = AppCoordinator()
    let link = route.link.url(scheme: AppCoordinator.scheme)
    #expect(coordinator.open(link))
    #expect(coordinator.selectedTab == route.tab)
    #expect(coordinator.address == link)
    // A tab's own screen lies under everything, so it is not on the stack.
    let isTab = AppTab(route.link) != nil
    #expect(coordinator.stack == (isTab ? [] : route.parents + [route]))
    #expect(route.parents.allSatisfy { $0.tab == route.tab })
  }

  @Test func `Running a checklist lies over its charter`() {
    let coordinator = AppCoordinator()
    let route = AppRoute.executeChecklist(charterID: Self.first, checklistID: Self.second)
    coordinator.open(route.link.url(scheme: AppCoordinator.scheme))
    #expect(coordinator.pop() == route)
    #expect(coordinator.stack == [.charterDetail(Self.first)])
  }

  @Test func `The app begins at home, where a link without a path leads too`() {
    let coordinator = AppCoordinator()
    #expect(coordinator.selectedTab == .home && coordinator.stack.isEmpty)
    coordinator.select(.library)
    #expect(coordinator.open("anyfleet://"))
    #expect(coordinator.selectedTab == .home)
  }

  @Test(arguments: [
    "", "anyfleet", "anyfleet://nowhere", "anyfleet://charter", "anyfleet://charter?id=",
    "anyfleet://charter?id=7", "anyfleet://charter?id=\(first)x", "anyfleet://charter?ID=\(first)",
    "anyfleet://execute?charter=\(first)", "anyfleet://execute?checklist=\(first)",
    "anyfleet://execute?charter=\(first)&checklist=x", "anyfleet://charter/\(first)",
    "anyfleet://checklist/edit", "anyfleet://join", "anyfleet://join?code=",
    "anyfleet://charter?id=%E0%80", "other://charter?id=\(first)",
    "javascript:alert(1)", "anyfleet://home/more",
  ])
  func `What leads nowhere is a message, and everything stays as it is`(link: String) {
    let coordinator = AppCoordinator()
    coordinator.select(.charters)
    coordinator.push(.charterDetail(Self.first))
    guard !coordinator.open(link) else {
      // An address without a scheme is a path; an empty one leads home.
      #expect(link.isEmpty)
      return
    }
    #expect(coordinator.linkError != nil)
    #expect(coordinator.selectedTab == .charters)
    #expect(coordinator.stack == [.charterDetail(Self.first)])
    for language in Language.allCases {
      #expect(coordinator.linkError?.localizedMessage.in(language).isEmpty == false)
    }
  }

  @Test func `No text whatever crashes, and one that is understood reads the same again`() {
    var random = SeededRandom(seed: 7)
    let coordinator = AppCoordinator()
    for _ in 0..<20_000 {
      let text = Self.mangled(&random)
      guard coordinator.open(text) else {
        #expect(coordinator.linkError != nil)
        continue
      }
      let again = AppCoordinator()
      #expect(again.open(coordinator.address), "\(text)")
      #expect(again.address == coordinator.address, "\(text)")
      #expect(again.selectedTab == coordinator.selectedTab, "\(text)")
    }
  }

  /// A link with pieces cut out, put in, and exchanged.
  private static func mangled(_ random: inout SeededRandom) -> String {
    let pieces = [
      "anyfleet", "://", "?", "&", "=", "id", "charter", "checklist", "execute", "#", "%", "%00",
      "%FF", "/", "//", ":", "\u{0}", "é", "👨‍👩‍👧", first.uuidString, second.uuidString, "home", " ",
      "edit", "new", "+",
    ]
    var text = Array(all.randomElement(using: &random)?.link.url(scheme: "anyfleet") ?? "")
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      let end = min(text.count, place + Int.random(in: 0...6, using: &random))
      let piece = Bool.random(using: &random) ? pieces.randomElement(using: &random) ?? "" : ""
      text.replaceSubrange(place..<end, with: Array(piece))
    }
    return String(text)
  }
}
