import Foundation

/// The result of a job: a row of the table, and a line of `bench.json`.
///
/// A job without a baseline has `null` for `baseline_ms` and `ratio`; its `must` is then in
/// milliseconds, and a ratio otherwise. A job without a limit has `null` for `must`.
struct Outcome: Codable {
  let name: String
  /// The medians and minimums of the rounds, in milliseconds.
  let oursMs: Double
  let oursMinMs: Double
  let baselineMs: Double?
  let baselineMinMs: Double?
  /// The median of the ratios of the rounds, and the ratio of the minimums.
  let ratio: Double?
  let ratioMin: Double?
  let must: Double?
  let aim: Double?
  let rounds: Int
  let counts: [String: Measurement.Count]
  let figures: [String: Double]
  let isPassed: Bool

  init(_ job: any Job, _ measurement: Measurement) {
    let goal = job.goal
    name = job.name
    oursMs = measurement.ours.median
    oursMinMs = measurement.ours.min() ?? .nan
    let (median, least) = (measurement.baseline.median, measurement.baseline.min())
    baselineMs = least == nil ? nil : median
    baselineMinMs = least
    let ratios = zip(measurement.ours, measurement.baseline)
      .compactMap { goal.ratio(ours: $0, baseline: $1) }
    ratio = ratios.isEmpty ? nil : ratios.median
    ratioMin = least.flatMap { [oursMinMs] in goal.ratio(ours: oursMinMs, baseline: $0) }
    must = goal.must
    aim = goal.aim
    rounds = measurement.ours.count
    counts = measurement.counts
    figures = measurement.figures
    isPassed =
      goal.isReached(ours: oursMs, ratio: ratio)
      && counts.values.allSatisfy { $0.found == $0.expected }
  }
}

// MARK: - JSON

extension Outcome {
  private enum CodingKeys: String, CodingKey {
    case name
    case oursMs = "ours_ms"
    case oursMinMs = "ours_min_ms"
    case baselineMs = "baseline_ms"
    case baselineMinMs = "baseline_min_ms"
    case ratio
    case ratioMin = "ratio_min"
    case must, aim, rounds, counts, figures
    case isPassed = "passed"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(oursMs, forKey: .oursMs)
    try container.encode(oursMinMs, forKey: .oursMinMs)
    // `encode`, not `encodeIfPresent`, so that every line of the file has every field.
    try container.encode(baselineMs, forKey: .baselineMs)
    try container.encode(baselineMinMs, forKey: .baselineMinMs)
    try container.encode(ratio, forKey: .ratio)
    try container.encode(ratioMin, forKey: .ratioMin)
    try container.encode(must, forKey: .must)
    try container.encode(aim, forKey: .aim)
    try container.encode(rounds, forKey: .rounds)
    try container.encode(counts, forKey: .counts)
    try container.encode(figures, forKey: .figures)
    try container.encode(isPassed, forKey: .isPassed)
  }

  /// The outcome as one line of JSON.
  var line: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }

  /// Replaces a file by one line per outcome.
  static func write(_ outcomes: [Outcome], to file: URL) throws {
    try outcomes.map { try $0.line }.reduce(Data(), +).write(to: file, options: .atomic)
  }
}

// MARK: - Table

extension Outcome {
  private static let widths = [14, 11, 11, 12, 12, 8, 10, 9, 8]

  static var tableHeader: String {
    row([
      "name", "ours ms", "ours min", "baseline ms", "base. min", "ratio", "min ratio", "must",
      "aim",
    ]) + "  rounds"
  }

  var tableRow: String {
    let mark = isPassed ? "pass" : "FAIL"
    let limit = must.map { ratio == nil ? "\($0) ms" : "\($0)" } ?? "–"
    let cells = [
      name, Self.text(oursMs), Self.text(oursMinMs), Self.text(baselineMs),
      Self.text(baselineMinMs), Self.text(ratio), Self.text(ratioMin), limit,
      aim.map { "\($0)" } ?? "–",
    ]
    let notes =
      counts.sorted { $0.key < $1.key }
      .map { " \($0.key) \($0.value.found) of \($0.value.expected)" }
      + figures.sorted { $0.key < $1.key }.map { " \($0.key) " + String(format: "%.0f", $0.value) }
    return Self.row(cells) + "  \(rounds)  \(mark)" + notes.joined()
  }

  private static func row(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { index, cell in
      let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index == 0 ? cell.0 + space : space + cell.0
    }.joined()
  }

  private static func text(_ number: Double?) -> String {
    number.map { String(format: "%.3f", $0) } ?? "–"
  }
}
