/// The times of a job's rounds, in milliseconds. Those of a round with and without the baseline have the
/// same place, so that what disturbs a round disturbs both.
struct Measurement {
  /// The default number of timed rounds.
  static let rounds = 30

  var ours: [Double] = []
  /// The times of the baseline; empty without one.
  var baseline: [Double] = []
  /// Counts to verify besides the times, by name: the actual and the expected number.
  var counts: [String: Count] = [:]
  /// Further numbers to report beside the times, by name.
  var figures: [String: Double] = [:]

  struct Count: Codable {
    let found: Int
    let expected: Int
  }

  /// Times two closures in turn, after a round that is not counted.
  ///
  /// The order of the two alternates between rounds, so that neither always runs with the caches
  /// that the other left.
  static func interleaved(
    rounds: Int = rounds, beforeEach prepare: () async throws -> Void = {},
    ours: () async throws -> Void, baseline: () async throws -> Void
  ) async throws -> Measurement {
    try await interleavedTimes(rounds: rounds, beforeEach: prepare) {
      try await milliseconds(ours)
    } baseline: {
      try await milliseconds(baseline)
    }
  }

  /// Calls two closures in turn that return their own times in milliseconds, as ``interleaved`` does.
  static func interleavedTimes(
    rounds: Int = rounds, beforeEach prepare: () async throws -> Void,
    ours: () async throws -> Double, baseline: () async throws -> Double
  ) async throws -> Measurement {
    var result = Measurement()
    for round in -1..<rounds {
      try await prepare()
      var times = (ours: 0.0, baseline: 0.0)
      if round.isMultiple(of: 2) {
        times.ours = try await ours()
        times.baseline = try await baseline()
      } else {
        times.baseline = try await baseline()
        times.ours = try await ours()
      }
      guard round >= 0 else { continue }
      result.ours.append(times.ours)
      result.baseline.append(times.baseline)
    }
    return result
  }

  /// Times a closure alone, after a round that is not counted.
  static func alone(
    rounds: Int = rounds, beforeEach prepare: () async throws -> Void = {},
    ours: () async throws -> Void
  ) async throws -> Measurement {
    var result = Measurement()
    for round in -1..<rounds {
      try await prepare()
      let time = try await milliseconds(ours)
      if round >= 0 { result.ours.append(time) }
    }
    return result
  }

  /// Reports how many things are done in a second if a round does this many.
  mutating func tellRate(of count: Int, _ things: String) {
    figures["\(things)/s"] = (Double(count) / ours.median * 1000).rounded()
  }

  /// Returns the time that a closure takes, in milliseconds.
  static func milliseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start).milliseconds
  }
}

extension Duration {
  /// The duration in milliseconds, with a fraction.
  var milliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }
}

extension [Double] {
  /// The middle of the sorted values, the lower of two; NaN if there are no values.
  var median: Double { isEmpty ? .nan : sorted()[(count - 1) / 2] }
}
