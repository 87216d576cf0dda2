import OffshoreFiles
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The engines: the chosen one, moves to others, and their comparison as measured on this device.
struct EnginesPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore
  let query: Fields

  func load() async { await store.load(.settings(.onAppear)) }

  func page(_ tab: Tab) -> Page {
    page(tab, say(.engines)) {
      tab.region("engine") { engine }
      tab.region("comparison") {
        app.measurements.html(to: ShiftRoute.engines.address, say)
      }
    }
  }

  @HTMLBuilder private var engine: HTML {
    let settings = store.settings
    let engine = settings.settings.engine
    p {
      say(
        en: "In use: \(engine.title). Records: \(settings.counts.records).",
        ru: "Используется: \(engine.title). Записей: \(settings.counts.records).")
    }
    if settings.offersDatabase { p(.class("notices")) { say(.manyRecords) } }
    if let count = query["moved"].flatMap({ Int($0) }) {
      p(.class("notices"), .role(.status), .id("moved")) {
        say(
          en: "Records moved and compared: \(count). The former place keeps them, too.",
          ru: "Перенесено и сверено записей: \(count). На прежнем месте они тоже остались.")
      }
    }
    PostForm(to: ShiftRoute.engines.address, id: "move-form") {
      div(.class("buttons")) {
        for other in StorageEngine.allCases where other != engine {
          SubmitButton(
            say(.use(other)),
            style: other == .database && settings.offersDatabase ? .primary : .plain,
            action: other.rawValue)
        }
      }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if let outcome = try await app.measurements.perform(form) { return outcome }
    guard let engine = StorageEngine(rawValue: form.action) else { throw form.unknownAction }
    await store.load(.settings(.move(engine)))
    guard let moved = store.settings.moved else { return .invalid }
    return .go(to: "\(ShiftRoute.engines.address)?moved=\(moved.records)")
  }
}

/// The page in place of the account while the records are in files: only a database is synced.
struct AccountOfferPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore

  func page(_ tab: Tab) -> Page {
    page(tab, say(.account)) {
      EmptyView(
        icon: Icon("database", text: "⛁"),
        title: say(en: "Move to the database first", ru: "Сначала перейдите в базу данных"),
        text: say(
          en: "Only a database is synced. The move is verified, and keeps the files.",
          ru: "Синхронизируется только база данных. Переход проверяется, файлы остаются."),
        action: .post(say(.use(.database)), to: ShiftRoute.account.address))
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    await store.load(.settings(.onAppear), .settings(.move(.database)))
    return store.settings.error == nil ? .go(to: ShiftRoute.account.address) : .invalid
  }
}
