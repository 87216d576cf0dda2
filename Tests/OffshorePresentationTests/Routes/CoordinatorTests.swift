import Foundation
import Observation
import OffshorePresentation
import Testing

private enum AppTab: String, CaseIterable, LinkDestination {
  case home
  case charters

  init?(_ link: DeepLink) {
    guard link.path.count == 1, let tab = Self(rawValue: link.path[0]) else { return nil }
    self = tab
  }

  var link: DeepLink { DeepLink([rawValue]) }
}

private enum AppRoute: Route {
  case charter(UUID)
  case execute(charter: UUID, checklist: UUID)
  case settings

  var tab: AppTab {
    switch self {
    case .charter, .execute: .charters
    case .settings: .home
    }
  }

  var parents: [AppRoute] {
    switch self {
    case .execute(let charter, _): [.charter(charter)]
    case .charter, .settings: []
    }
  }

  var link: DeepLink {
    switch self {
    case .charter(let id): DeepLink(["charter"], query: ["id": id.uuidString])
    case .execute(let charter, let checklist):
      DeepLink(
        ["execute"], query: ["charter": charter.uuidString, "checklist": checklist.uuidString])
    case .settings: DeepLink(["settings"])
    }
  }

  init?(_ link: DeepLink) {
    func id(_ name: String) -> UUID? { link.query[name].flatMap(UUID.init) }
    switch link.path {
    case ["charter"]:
      guard let id = id("id") else { return nil }
      self = .charter(id)
    case ["execute"]:
      guard let charter = id("charter"), let checklist = id("checklist") else { return nil }
      self = .execute(charter: charter, checklist: checklist)
    case ["settings"]: self = .settings
    default: return nil
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CoordinatorTests {
  private let coordinator = Coordinator<AppTab, AppRoute>(selecting: .home, scheme: "anyfleet")
  private let id = UUID()

  // MARK: - Navigation

  @Test func `Each tab has its own stack, which stays while another is shown`() {
    coordinator.push(.settings)
    coordinator.select(.charters)
    #expect(coordinator.stack == [])
    coordinator.push(.charter(id))
    coordinator.select(.home)
    #expect(coordinator.stack == [.settings])
    #expect(coordinator.stack(of: .charters) == [.charter(id)])
  }

  @Test func `Screens are pushed and popped at the top`() {
    coordinator.push(.charter(id))
    coordinator.push(.settings)
    #expect(coordinator.pop() == .settings)
    #expect(coordinator.stack == [.charter(id)])
    #expect(coordinator.pop() == .charter(id))
    #expect(coordinator.pop() == nil)
  }

  @Test func `The screen on top is not pushed again`() {
    coordinator.push(.charter(id))
    coordinator.push(.charter(id))
    #expect(coordinator.stack == [.charter(id)])
    coordinator.push(.charter(UUID()))
    #expect(coordinator.stack.count == 2)
  }

  @Test func `A tab returns to its root screen by a call, or when it is selected again`() {
    for goBack in [coordinator.popToRoot, { coordinator.select(.home) }] {
      coordinator.push(.charter(id))
      coordinator.push(.settings)
      goBack()
      #expect(coordinator.stack == [])
    }
  }

  @Test func `Observers see the path change`() async {
    let depths = Observations { coordinator.stack.count }
    var iterator = depths.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    coordinator.push(.settings)
    #expect(await iterator.next() == 1)
  }

  // MARK: - Links

  @Test func `A link shows its screen on its tab, with its parents under it`() {
    let checklist = UUID()
    coordinator.push(.settings)
    #expect(coordinator.open("anyfleet://execute?charter=\(id)&checklist=\(checklist)"))
    #expect(coordinator.selectedTab == .charters)
    #expect(coordinator.stack == [.charter(id), .execute(charter: id, checklist: checklist)])
    #expect(coordinator.stack(of: .home) == [.settings])
  }

  @Test func `A link to a tab shows the tab's root screen`() {
    coordinator.select(.charters)
    coordinator.push(.charter(id))
    #expect(coordinator.open("/charters"))
    #expect(coordinator.stack == [])
    #expect(coordinator.open("anyfleet://home"))
    #expect(coordinator.selectedTab == .home)
  }

  @Test(arguments: [
    ("anyfleet://charter?id=7", AppError.content(.notFound)),
    ("anyfleet://charter", .content(.notFound)), ("anyfleet://", .content(.notFound)),
    ("/execute?charter=x", .content(.notFound)), ("anyfleet://%", .content(.unreadable)),
    ("other://settings", .content(.unreadable)), ("", .content(.notFound)),
  ]) func `A link without a destination is a message and changes nothing else`(
    _ address: String, _ error: AppError
  ) {
    coordinator.push(.charter(id))
    #expect(!coordinator.open(address))
    #expect(coordinator.linkError == error)
    #expect(coordinator.selectedTab == .home)
    #expect(coordinator.stack == [.charter(id)])
  }

  @Test func `A message disappears when it is dismissed or when a link has a destination`() {
    coordinator.open("/nowhere")
    coordinator.dismissLinkError()
    #expect(coordinator.linkError == nil)
    coordinator.open("/nowhere")
    coordinator.open("/settings")
    #expect(coordinator.linkError == nil)
  }

  @Test func `The address of the current screen leads back to it`() {
    for route in [AppRoute.charter(id), .execute(charter: id, checklist: UUID()), .settings] {
      coordinator.select(route.tab)
      coordinator.push(route)
      let other = Coordinator<AppTab, AppRoute>(selecting: .home, scheme: "anyfleet")
      #expect(other.open(coordinator.address))
      #expect(other.stack.last == route)
      #expect(AppRoute(route.link) == route)
    }
    coordinator.popToRoot()
    #expect(coordinator.address == "anyfleet://home")
  }

  @Test func `No link traps, however damaged`() {
    var random = RandomSource(seed: 3)
    let address = AppRoute.execute(charter: id, checklist: UUID()).link.url(scheme: "anyfleet")
    for _ in 0..<3_000 {
      var bytes = Array(address.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      let damaged = String(decoding: bytes, as: UTF8.self)
      #expect(coordinator.open(damaged) == (coordinator.linkError == nil))
    }
  }

  @Test func `The coordinator is released when it is not used any more`() async {
    weak var released: Coordinator<AppTab, AppRoute>?
    do {
      let coordinator = Coordinator<AppTab, AppRoute>(selecting: .home, scheme: "anyfleet")
      coordinator.push(.settings)
      coordinator.open("/charters")
      released = coordinator
    }
    #expect(released == nil)
  }
}
