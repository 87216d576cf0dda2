import AnyfleetTestSupport
import Foundation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// The screens' links and their destinations.
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

  @Test func `No two routes have the same link`() {
    #expect(Set(Self.all.map(\.link)).count == Self.all.count)
  }

  @Test(arguments: AppTab.allCases)
  func `A tab's link leads back to it`(tab: AppTab) {
    #expect(AppTab(tab.link) == tab)
  }

  @Test func `Links written by others lead to their destinations`() throws {
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
  func `A link pushes the screen over its parents on its tab, and its address is the link`(
    route: AppRoute
  ) {
    let coordinator = AppCoordinator()
    let link = route.link.url(scheme: AppCoordinator.scheme)
    #expect(coordinator.open(link))
    #expect(coordinator.selectedTab == route.tab)
    #expect(coordinator.address == link)
    // A tab's root screen lies under all others, so it is not on the stack.
    let isTab = AppTab(route.link) != nil
    #expect(coordinator.stack == (isTab ? [] : route.parents + [route]))
    #expect(route.parents.allSatisfy { $0.tab == route.tab })
  }

  @Test func `The screen that runs a checklist lies over its charter`() {
    let coordinator = AppCoordinator()
    let route = AppRoute.executeChecklist(charterID: Self.first, checklistID: Self.second)
    coordinator.open(route.link.url(scheme: AppCoordinator.scheme))
    #expect(coordinator.pop() == route)
    #expect(coordinator.stack == [.charterDetail(Self.first)])
  }

  @Test func `The app starts at home, which is also the destination of a link without a path`() {
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
  func `A link without a destination is a message and changes nothing else`(link: String) {
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

  @Test func `No text traps, and a valid one is parsed the same again`() {
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

  /// A link with pieces removed, inserted and exchanged.
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
