/// The times of a job's rounds, in milliseconds.
struct Measurement {
  /// Rounds that are timed unless a job says otherwise.
  static let rounds = 30

  var ours: [Double] = []
  /// Empty where there is no baseline.
  var baseline: [Double] = []
  /// Counts that must hold besides the times, by name: what was counted and what it must be.
  var counts: [String: Count] = [:]
  /// Further numbers that are told beside the times, by name.
  var figures: [String: Double] = [:]

  struct Count: Codable {
    let found: Int
    let expected: Int
  }

  /// Times two closures in turn, after a round that is not counted.
  ///
  /// Which of the two goes first changes with each round, so that neither always meets the caches
  /// that the other left.
  static func interleaved(
    rounds: Int = rounds, beforeEach prepare: () async throws -> Void = {},
    ours: () async throws -> Void, baseline: () async throws -> Void
  ) async throws -> Measurement {
    var result = Measurement()
    for round in -1..<rounds {
      try await prepare()
      var times = (ours: 0.0, baseline: 0.0)
      if round.isMultiple(of: 2) {
        times.ours = try await milliseconds(ours)
        times.baseline = try await milliseconds(baseline)
      } else {
        times.baseline = try await milliseconds(baseline)
        times.ours = try await milliseconds(ours)
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

  /// Tells how many things are done in a second, where a round does so many.
  mutating func tellRate(of count: Int, _ things: String) {
    figures["\(things)/s"] = (Double(count) / ours.median * 1000).rounded()
  }

  /// The time that a closure takes, in milliseconds.
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
  /// The middle of the sorted values, the lower of two; NaN where there are none.
  var median: Double { isEmpty ? .nan : sorted()[(count - 1) / 2] }
}
