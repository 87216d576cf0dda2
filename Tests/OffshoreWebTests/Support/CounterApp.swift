import Observation
import OffshoreHTTP
import TestSupport

@testable import OffshoreWeb

/// The state that all tabs of the sample share.
@MainActor @Observable final class CounterStore {
  var count = 0
  var title = "Counter"
  var rows: [String] = []
  var texts = PageTexts.english
}

extension PageTexts {
  static let russian = PageTexts(
    language: "ru", skip: "К содержанию",
    disconnected: "Приложение недоступно. Пробуем снова…",
    notSent: "Не получилось. Попробуйте ещё раз.", dismiss: "Скрыть")
}

/// The state of one tab of the sample.
@MainActor @Observable final class CounterModel {
  let store: CounterStore
  var note = ""
  var noteError: String?

  init(store: CounterStore) { self.store = store }

  func store(_ note: String) {
    self.note = note
    noteError = note.isEmpty ? "Write something" : nil
  }
}

struct CounterPage: LivePage {
  let model: CounterModel

  init(_ store: CounterStore) { model = CounterModel(store: store) }

  func page(_ tab: Tab) -> Page {
    Page(model.store.title, appName: "Sample", texts: model.store.texts) {
      tab.region("count") { p { "\(model.store.count)" } }
      tab.region("rows") {
        Card(id: "list") {
          for row in model.store.rows {
            // Long enough that a single row is sent instead of all rows.
            LinkRow(row, to: "/\(row)", text: "A row of the sample", id: "row-\(row)")
          }
        }
      }
      PostForm(to: "/counter/increment") { SubmitButton("Add one") }
      tab.region("note") {
        PostForm(to: "/counter/note") {
          Field("Note", name: "note", value: model.note, error: model.noteError)
          SubmitButton("Keep")
        }
      }
    }
  }
}

/// A counter that tabs share, with a separate note for each tab.
@MainActor struct CounterApp {
  let store = CounterStore()
  let tabs: TabRegistry
  var router = Router()

  var browser: Browser { Browser(router: router) }

  init(clock: any Clock<Duration> = ManualClock(), maximumCount: Int = 500) {
    tabs = TabRegistry(maximumCount: maximumCount, clock: clock)
    router.addLivePages(tabs)
    addRoutes(to: &router)
  }

  func addRoutes(to router: inout Router) {
    let (store, tabs) = (store, tabs)
    router.get("counter") { try await tabs.open($0) { CounterPage(store) } }
    router.post("counter/increment") { request in
      try await tabs.act(request, at: "/counter") {
        CounterPage(store)
      } action: { page in
        page.model.store.count += 1
        return .done
      }
    }
    router.post("counter/draft") { request in
      let note = try request.form["note"] ?? ""
      return try await tabs.act(request, at: "/counter") {
        CounterPage(store)
      } action: { page in
        page.model.note = note
        return .drafted
      }
    }
    router.post("counter/note") { request in
      let note = try request.form["note"] ?? ""
      return try await tabs.act(request, at: "/counter") {
        CounterPage(store)
      } action: { page in
        page.model.store(note)
        return page.model.noteError == nil ? .go(to: "/counter?kept=1") : .invalid
      }
    }
  }
}

/// Returns text that is difficult to escape.
func nastyText(_ generator: inout SeededRandom) -> String {
  let pieces = [
    "<", ">", "&", "\"", "'", "</p>", "<script>", "-->", "<!--", "&amp;", "&#0;", "]]>", "\0", "\r",
    "\n", "\t", "=", "`", "a", " ", "é", "👩‍👩‍👧", "\u{202E}", "\u{2028}", "javascript:",
  ]
  let count = Int.random(in: 0...12, using: &generator)
  return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
}
