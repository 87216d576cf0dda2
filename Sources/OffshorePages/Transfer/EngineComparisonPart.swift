public import Foundation
public import Observation
public import OffshoreFiles
public import OffshorePresentation
public import OffshoreWeb

/// A part of a page that measures the storage engines of an app, and compares them in charts with tables.
///
/// The parts of all pages may be one object, so that each page shows the latest results. A page with the
/// part has the stylesheet `Stylesheet.calendar`.
@MainActor public final class EngineComparisonPart: Observable {
  private struct Metric {
    let id: String
    let title: LocalizedText
    let unit: LocalizedText
    let value: (EngineMeasurement) -> Double
  }

  /// The latest results; empty before the first measurement.
  @Observed public private(set) var results: [EngineMeasurement] = []
  @Observed private var isRunning = false
  private let elements: LocalizedText
  private let comparison: (URL) -> EngineComparison

  /// Creates a part.
  /// - Parameters:
  ///   - elements: the heading of the numbers of elements, such as “Trips”.
  ///   - comparison: returns the comparison in a folder that does not exist yet.
  public init(of elements: LocalizedText, _ comparison: @escaping (URL) -> EngineComparison) {
    self.elements = elements
    self.comparison = comparison
  }

  /// Returns the part: a button that measures, and a chart for each kind of result.
  /// - Parameter address: the page's own address.
  @HTMLBuilder public func html(to address: String, _ say: Localizer) -> HTML {
    h2 { say(.comparison) }
    p { say(.comparisonExplained) }
    PostForm(to: address, id: "measure-form") {
      SubmitButton(say(isRunning ? .measuring : .measure), action: "measure")
    }
    if !results.isEmpty { for metric in Self.metrics { chart(of: metric, say) } }
  }

  private static let metrics = [
    Metric(id: "load", title: .loadAll, unit: .milliseconds) { $0.load / .milliseconds(1) },
    Metric(id: "save", title: .saveOne, unit: .milliseconds) { $0.saveOne / .milliseconds(1) },
    Metric(id: "month", title: .loadMonth, unit: .milliseconds) { $0.month / .milliseconds(1) },
    Metric(id: "bytes", title: .size, unit: .kilobytes) { Double($0.bytes) / 1_024 },
  ]

  private func chart(of metric: Metric, _ say: Localizer) -> Chart {
    let series = StorageEngine.allCases.map { engine in
      let values = EngineComparison.counts.map { count in
        results.first { $0.engine == engine && $0.count == count }.map(metric.value)
      }
      return Chart.Series(say(engine.title), values)
    }
    let unit = say(metric.unit)
    return Chart(
      say(metric.title), id: "chart-\(metric.id)", description: say(.lessIsBetter),
      categories: EngineComparison.counts.map { say.number($0) }, series: series,
      scale: .logarithmic, texts: Chart.Texts(categories: say(elements), table: say(.theNumbers))
    ) {
      "\(say.number($0 >= 10 ? $0.rounded() : ($0 * 100).rounded() / 100)) \(unit)"
    }
  }

  /// Performs the form of the part: measures all engines, and shows each result when it is known.
  /// - Returns: the outcome, or `nil` if the form is not that of the part.
  /// - Throws: the error of a measurement.
  public func perform(_ form: PageForm) async throws -> Outcome? {
    guard form.action == "measure" else { return nil }
    guard !isRunning else { return .done }
    (results, isRunning) = ([], true)
    defer { isRunning = false }
    let folder = FileManager.default.temporaryDirectory.appending(path: "engines-\(UUID())")
    let comparison = comparison(folder)
    for count in EngineComparison.counts {
      for engine in StorageEngine.allCases {
        results.append(try await comparison.measure(engine, count: count))
      }
    }
    return .done
  }
}

extension StorageEngine {
  /// The name of the engine, within a sentence.
  public var title: LocalizedText {
    switch self {
    case .files: LocalizedText(en: "files", ru: "файлы")
    case .shared: LocalizedText(en: "files, shared in memory", ru: "файлы, общие в памяти")
    case .database: LocalizedText(en: "database", ru: "база данных")
    }
  }
}

extension LocalizedText {
  /// The title of the part of a chart with its table.
  public static let theNumbers = LocalizedText(en: "The numbers", ru: "Числа")
  fileprivate static let comparison = LocalizedText(en: "Comparison", ru: "Сравнение")
  fileprivate static let comparisonExplained = LocalizedText(
    en: "Measures each kind of storage on this device, with 10 to 10,000 entries.",
    ru: "Измеряет каждый вид хранения на этом устройстве: от 10 до 10 000 записей.")
  fileprivate static let measure = LocalizedText(en: "Measure", ru: "Измерить")
  fileprivate static let measuring = LocalizedText(en: "Measuring…", ru: "Измеряем…")
  fileprivate static let loadAll = LocalizedText(en: "Load all", ru: "Загрузить всё")
  fileprivate static let saveOne = LocalizedText(en: "Save one", ru: "Сохранить одну")
  fileprivate static let loadMonth = LocalizedText(en: "Load a month", ru: "Загрузить месяц")
  fileprivate static let size = LocalizedText(en: "Size", ru: "Размер")
  fileprivate static let milliseconds = LocalizedText(en: "ms", ru: "мс")
  fileprivate static let kilobytes = LocalizedText(en: "KB", ru: "КБ")
  fileprivate static let lessIsBetter = LocalizedText(
    en: "Less is better. Each grid line is ten times the one below.",
    ru: "Меньше — лучше. Каждая линия сетки в десять раз больше нижней.")
}
