import Foundation
import Observation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The engines: the chosen one, moves to others, and their comparison as measured on this device.
struct EnginesPage: ShiftPage {
  private typealias Metric = (
    id: String, title: String, unit: String, value: (EngineMeasurement) -> Double
  )

  let app: ShiftApp
  let store: ShiftStore
  let query: Fields

  func load() async { await store.load(.settings(.onAppear)) }

  func page(_ tab: Tab) -> Page {
    page(tab, say(.engines)) {
      tab.region("engine") { engine }
      h2 { say(en: "Comparison", ru: "Сравнение") }
      p {
        say(
          en: "Measures each kind of storage on this device, with 10 to 10,000 shifts.",
          ru: "Измеряет каждый вид хранения на этом устройстве: от 10 до 10 000 смен.")
      }
      tab.region("measuring") {
        PostForm(to: ShiftRoute.engines.address, id: "measure-form") {
          SubmitButton(
            app.measurements.isRunning
              ? say(en: "Measuring…", ru: "Измеряем…") : say(en: "Measure", ru: "Измерить"),
            action: "measure")
        }
      }
      tab.region("charts") {
        if !app.measurements.results.isEmpty { for metric in metrics { chart(of: metric) } }
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

  private var metrics: [Metric] {
    let (ms, kilobytes) = (say(en: "ms", ru: "мс"), say(en: "KB", ru: "КБ"))
    return [
      ("load", say(en: "Load all", ru: "Загрузить всё"), ms, { $0.load / .milliseconds(1) }),
      ("save", say(en: "Save one", ru: "Сохранить одну"), ms, { $0.saveOne / .milliseconds(1) }),
      (
        "month", say(en: "Load a month", ru: "Загрузить месяц"), ms, { $0.month / .milliseconds(1) }
      ),
      ("bytes", say(en: "Size", ru: "Размер"), kilobytes, { Double($0.bytes) / 1_024 }),
    ]
  }

  private func chart(of metric: Metric) -> Chart {
    let series = StorageEngine.allCases.map { engine in
      let values = EngineComparison.counts.map { count in
        app.measurements.results.first { $0.engine == engine && $0.count == count }
          .map(metric.value)
      }
      return Chart.Series(say(engine.title), values)
    }
    return Chart(
      metric.title, id: "chart-\(metric.id)",
      description: say(
        en: "Less is better. Each grid line is ten times the one below.",
        ru: "Меньше — лучше. Каждая линия сетки в десять раз больше нижней."),
      categories: EngineComparison.counts.map { say.number($0) }, series: series,
      scale: .logarithmic,
      texts: Chart.Texts(categories: say(.shiftCount), table: say(.theNumbers))
    ) {
      "\(say.number($0 >= 10 ? $0.rounded() : ($0 * 100).rounded() / 100)) \(metric.unit)"
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if form.action == "measure" {
      try await app.measurements.run()
      return .done
    }
    guard let engine = StorageEngine(rawValue: form.action) else { throw form.unknownAction }
    await store.load(.settings(.move(engine)))
    guard let moved = store.settings.moved else { return .invalid }
    return .go(to: "\(ShiftRoute.engines.address)?moved=\(moved.records)")
  }
}

/// The latest measurements, for all pages.
@MainActor @Observable final class EngineMeasurements {
  private(set) var results: [EngineMeasurement] = []
  private(set) var isRunning = false

  /// Measures all engines, and shows each result when it is known.
  /// - Throws: `FileError`, `DatabaseError`.
  func run() async throws {
    guard !isRunning else { return }
    (results, isRunning) = ([], true)
    defer { isRunning = false }
    let folder = FileManager.default.temporaryDirectory.appending(path: "engines-\(UUID())")
    for count in EngineComparison.counts {
      for engine in StorageEngine.allCases {
        results.append(try await EngineComparison(in: folder).measure(engine, count: count))
      }
    }
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
