/// One benchmark.
protocol Job: Sendable {
  /// The name on the command line and in the results.
  var name: String { get }
  /// The required and the desired result.
  var goal: Goal { get }
  /// Does the work in rounds, with files in a folder on a real disk.
  func measure(in folder: BenchFolder) async throws -> Measurement
}

/// The measure of a job's result.
enum Goal: Sendable {
  /// Ours takes at most this many times the baseline's time.
  case timeRatio(must: Double, aim: Double)
  /// Ours does at least this many times the baseline's work in the same time.
  case throughputRatio(must: Double, aim: Double)
  /// Ours takes less than this many milliseconds. There is no baseline.
  case milliseconds(must: Double)
  /// No limit: the number is only reported. The ratio to a baseline, if there is one, is of times.
  case known

  var must: Double? {
    switch self {
    case .timeRatio(let must, _), .throughputRatio(let must, _), .milliseconds(let must): must
    case .known: nil
    }
  }

  var aim: Double? {
    switch self {
    case .timeRatio(_, let aim), .throughputRatio(_, let aim): aim
    case .milliseconds, .known: nil
    }
  }

  /// Returns the ratio of two times, as this goal counts it.
  func ratio(ours: Double, baseline: Double) -> Double? {
    switch self {
    case .timeRatio, .known: ours / baseline
    case .throughputRatio: baseline / ours
    case .milliseconds: nil
    }
  }

  /// Returns whether the times meet the required result.
  func isReached(ours: Double, ratio: Double?) -> Bool {
    switch self {
    case .timeRatio(let must, _): ratio.map { $0 <= must } ?? false
    case .throughputRatio(let must, _): ratio.map { $0 >= must } ?? false
    case .milliseconds(let must): ours < must
    case .known: true
    }
  }
}
