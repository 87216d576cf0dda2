import OffshorePresentation
import Testing

@testable import OffshoreWeb

// The page of the article “Features”; Tests/Gates holds the two to the same lines.

private struct Harbor: Identifiable, Equatable, Sendable {
  let id: Int
  var name: String
}

private struct HarborsFeature: Reducer {
  struct State: Equatable, Sendable {
    var harbors: [Harbor] = []
    var isLoading = false
    var error: AppError?
  }

  enum Action: Equatable, Sendable {
    case onAppear
    case loaded(Result<[Harbor], AppError>)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .onAppear:
      state.isLoading = true
      return .run { await $0(.loaded(.success([Harbor(id: 1, name: "Vis")]))) }
    case .loaded(.success(let harbors)):
      state.isLoading = false
      state.harbors = harbors
    case .loaded(.failure(let error)): state.error = error
    }
    return .none
  }
}

private struct HarborsPage: LivePage {
  let store: Store<HarborsFeature.State, HarborsFeature.Action>

  func load() async { await store.send(.onAppear).finish() }

  func page(_ tab: Tab) -> Page {
    Page("Harbors") {
      tab.region("status") {
        if let error = store.error { p { "Failed: \(error.id)" } }
      }
      tab.region("rows") {
        for harbor in store.harbors { p { harbor.name } }
      }
    }
  }
}

/// A page of an optional part and of one row, which counts the renderings of its regions.
private struct PartsPage: LivePage {
  @MainActor final class Renderings {
    private(set) var regions: [String] = []
    func add(_ region: String) { regions.append(region) }
    func removeAll() { regions = [] }
  }

  let store: Store<HarborsFeature.State, HarborsFeature.Action>
  let renderings: Renderings

  func page(_ tab: Tab) -> Page {
    Page("Parts") {
      tab.region("error") {
        renderings.add("error")
        return HTML {
          if let error = store.scope(state: \.error, action: Self.failed) { p { error.state.id } }
        }
      }
      tab.region("row") {
        renderings.add("row")
        let row = store.scope(state: \.harbors, id: 2, action: Self.replaced)
        return HTML { p { row?.name ?? "missing" } }
      }
      tab.region("count") {
        renderings.add("count")
        return HTML { p { "\(store.harbors.count)" } }
      }
    }
  }

  private static func failed(_ error: AppError) -> HarborsFeature.Action {
    .loaded(.failure(error))
  }

  private static func replaced(_ harbor: Harbor) -> HarborsFeature.Action {
    .loaded(.success([harbor]))
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct StorePageTests {
  private let store = Store(initialState: HarborsFeature.State()) { HarborsFeature() }
  private let renderings = PartsPage.Renderings()

  private func harbors(_ names: String...) -> HarborsFeature.Action {
    .loaded(.success(names.enumerated().map { Harbor(id: $0.offset + 1, name: $0.element) }))
  }

  /// Returns the regions that an action renders, in their alphabetical order.
  private func regions(renderedBy action: HarborsFeature.Action, in tab: Tab) -> [String] {
    renderings.removeAll()
    store.send(action)
    tab.flush()
    return renderings.regions.sorted()
  }

  @Test func `A page loads by its store, and shows the state`() async {
    let page = HarborsPage(store: store)
    await page.load()
    let tab = Tab(id: "t", address: "/harbors", page: page)
    let html = String(decoding: tab.render(), as: UTF8.self)
    #expect(html.contains("<p>Vis</p>"))
  }

  @Test func `An action sends only the regions that read its change`() {
    let tab = Tab(id: "t", address: "/harbors", page: HarborsPage(store: store))
    _ = tab.render()
    let first = tab.revision
    store.send(.onAppear)
    tab.flush()
    #expect(tab.revision == first)
    store.send(.loaded(.failure(.database(.full))))
    tab.flush()
    #expect(tab.revision == first + 1)
    #expect(String(decoding: tab.render(), as: UTF8.self).contains("<p>Failed: database.full</p>"))
  }

  @Test func `Regions of optional parts and rows are rendered for these alone`() {
    let tab = Tab(id: "t", address: "/parts", page: PartsPage(store: store, renderings: renderings))
    #expect(regions(renderedBy: harbors("Vis", "Hvar"), in: tab) == ["count", "row"])
    #expect(regions(renderedBy: harbors("Brač", "Hvar"), in: tab) == ["count"])
    #expect(regions(renderedBy: harbors("Brač", "Korčula"), in: tab) == ["count", "row"])
    #expect(regions(renderedBy: .loaded(.failure(.database(.full))), in: tab) == ["error"])
    #expect(regions(renderedBy: .loaded(.failure(.database(.busy))), in: tab) == ["error"])
    #expect(regions(renderedBy: .loaded(.failure(.database(.busy))), in: tab).isEmpty)
    #expect(regions(renderedBy: harbors("Brač"), in: tab) == ["count", "row"])
  }

  @Test func `A closed tab does not retain its store`() {
    weak var released: Store<HarborsFeature.State, HarborsFeature.Action>?
    do {
      let store = Store(initialState: HarborsFeature.State()) { HarborsFeature() }
      released = store
      let tab = Tab(id: "t", address: "/harbors", page: HarborsPage(store: store))
      _ = tab.render()
      tab.close()
    }
    #expect(released == nil)
  }
}
