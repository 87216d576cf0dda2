import Observation
import OffshoreHTTP
import Synchronization
import Testing

@testable import OffshoreWeb

@MainActor struct TabLifetimeTests {
  @MainActor @Observable fileprivate final class Model {
    var name = "x"
  }

  /// A store that outlives all tabs and never changes.
  @MainActor @Observable fileprivate final class Store {
    var text = "shared"
  }

  /// A page that observes without end, as a page of a database does.
  fileprivate struct FollowingPage: LivePage {
    let model: Model
    let store: Store
    let ended: EventChannel

    func run() async {
      let stream = AsyncStream<Void> { _ in }
      for await _ in stream { model.name += "x" }
      ended.close()
    }

    func page(_ tab: Tab) -> Page {
      Page(store.text) {
        tab.region("name") {
          p { model.name }
          p { store.text }
        }
      }
    }
  }

  @MainActor private final class Watch {
    weak var model: Model?
    let ended = EventChannel()
  }

  private let clock = ManualClock()
  private let store = Store()
  private let watch = Watch()
  private let tabs: TabRegistry
  private var router = Router()
  private var browser: Browser { Browser(router: router) }

  init() {
    tabs = TabRegistry(gracePeriod: .seconds(30), clock: clock)
    router.addLivePages(tabs)
    let (tabs, watch, store) = (tabs, watch, store)
    router.get("page") { request in
      try await tabs.open(request) { @MainActor in
        let model = Model()
        watch.model = model
        return FollowingPage(model: model, store: store, ended: watch.ended)
      }
    }
  }

  private func passGracePeriod() async {
    #expect(await eventually { clock.sleeperCount == 1 })
    clock.advance(by: .seconds(30))
  }

  @Test func `A tab without a listener is released after the grace period, with its view models`()
    async throws
  {
    _ = try await browser.open("/page")
    #expect(watch.model != nil)
    await passGracePeriod()
    #expect(await eventually { tabs.count == 0 && watch.model == nil })
  }

  @Test func `The tasks of a page are cancelled when its tab is closed`() async throws {
    _ = try await browser.open("/page")
    await passGracePeriod()
    #expect(await watch.ended.next() == nil)
  }

  @Test func `A tab lives while a browser listens`() async throws {
    let page = try await browser.open("/page")
    #expect(await eventually { clock.sleeperCount == 1 })
    let stream = try await browser.listen(page.tab, after: 0)
    #expect(await eventually { clock.sleeperCount == 0 })
    clock.advance(by: .seconds(3600))
    #expect(tabs.count == 1)
    watch.model?.name = "y"
    #expect(try await stream.nextChange().html.contains("<p>y</p>"))
  }

  @Test func `A tab is released a grace period after its last stream ended, with its view models`()
    async throws
  {
    let page = try await browser.open("/page")
    let streams = [
      try await browser.listen(page.tab, after: 0), try await browser.listen(page.tab, after: 0),
    ]
    streams[0].close()
    #expect(await eventually { tabs.streamCount == 1 })
    #expect(tabs.expiries.isEmpty)
    streams[1].close()
    await passGracePeriod()
    #expect(await eventually { tabs.count == 0 && watch.model == nil })
  }

  @Test func `A browser that returns within the grace period finds its tab`() async throws {
    let page = try await browser.open("/page")
    try await browser.listen(page.tab, after: 0).close()
    #expect(await eventually { clock.sleeperCount == 1 })
    clock.advance(by: .seconds(29))
    let stream = try await browser.listen(page.tab, after: 0)
    #expect(await eventually { clock.sleeperCount == 0 })
    clock.advance(by: .seconds(29))
    watch.model?.name = "back"
    #expect(try await stream.nextChange().html.contains("back"))
  }

  @Test func `Beyond the maximum, the tab that has waited longest for a browser is closed`()
    async throws
  {
    let app = CounterApp(maximumCount: 2)
    let first = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(first.tab, after: 0)
    let second = try await app.browser.open("/counter")
    _ = try await app.browser.open("/counter")
    #expect(app.tabs.count == 2)
    #expect(stream.isOpen)
    let gone = try await app.browser.listen(second.tab, after: 0)
    #expect(await gone.next() == .refetch)
  }

  @Test func `Closing returns when every page is released, and later requests open no tab`()
    async throws
  {
    let page = try await browser.open("/page")
    _ = try await browser.open("/page")
    let stream = try await browser.listen(page.tab, after: 0)
    await tabs.close()
    #expect(tabs.count == 0 && watch.model == nil)
    #expect(await watch.ended.next() == nil)
    #expect(!stream.isOpen)
    _ = try await browser.open("/page")
    #expect(tabs.count == 0 && watch.model == nil)
  }

  @Test func `All pages are fetched again after a change that none observes`() async throws {
    let page = try await browser.open("/page")
    let stream = try await browser.listen(page.tab, after: 0)
    tabs.refetch(under: "")
    #expect(tabs.count == 0 && !stream.isOpen)
    let gone = try await browser.listen(page.tab, after: 0)
    #expect(await gone.next() == .refetch)
    _ = try await browser.open("/page")
    #expect(tabs.count == 1)
  }

  @Test func `The pages of other apps stay open when those of one app are fetched again`()
    async throws
  {
    var device = router
    for path in ["trips", "shifts"] { device.mount(router, at: path) }
    let browser = Browser(router: device)
    let trips = try await browser.open("/trips/page")
    let shifts = try await browser.open("/shifts/page")
    let open = try await browser.listen(trips.tab, after: 0)
    let closed = try await browser.listen(shifts.tab, after: 0)
    tabs.refetch(under: "/shifts")
    #expect(tabs.count == 1)
    #expect(open.isOpen && !closed.isOpen)
  }

  @Test func `A page that acts for one request is released with it`() async throws {
    var router = router
    let (tabs, watch, store) = (tabs, watch, store)
    router.post("page") { request in
      try await tabs.act(request, at: "/page") { @MainActor in
        let model = Model()
        watch.model = model
        return FollowingPage(model: model, store: store, ended: watch.ended)
      } action: { _ in
        .done
      }
    }
    _ = await Browser(router: router).post("/page")
    #expect(watch.model == nil)
  }
}
