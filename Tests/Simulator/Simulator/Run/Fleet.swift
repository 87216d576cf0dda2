import Synchronization

/// Runs the schedules of many seeds in parallel.
public enum Fleet {
  /// The results of the schedules.
  public struct Summary: Sendable {
    /// The sum of all counters.
    public internal(set) var counters = Counters()
    /// The schedules in which an invariant did not hold, by seed.
    public internal(set) var failures: [ScheduleResult] = []
  }

  /// Returns the seeds whose process crashed or was killed, with the folders of their files. Remove
  /// each folder after inspecting it.
  public static func brokenOff() -> [(seed: UInt64, path: String)] { DeviceFiles.leftBehind() }

  /// Runs the schedules of seeds, as many at once as there are workers.
  /// - Parameter report: Called with the result of each schedule as it ends.
  public static func run(
    _ seeds: Range<UInt64>, breach: Breach? = nil, isBrief: Bool = false, workers: Int,
    report: @escaping @Sendable (ScheduleResult) -> Void = { _ in }
  ) async -> Summary {
    await run(seeds, workers, report) { Schedule.run(seed: $0, breach: breach, isBrief: isBrief) }
  }

  /// Runs the timed schedules of seeds, as many at once as there are workers.
  /// - Parameter report: Called with the result of each schedule as it ends.
  public static func runTimed(
    _ seeds: Range<UInt64>, breach: Breach? = nil, workers: Int,
    report: @escaping @Sendable (ScheduleResult) -> Void = { _ in }
  ) async -> Summary {
    await run(seeds, workers, report) { await TimedSchedule.run(seed: $0, breach: breach) }
  }

  private static func run(
    _ seeds: Range<UInt64>, _ workers: Int, _ report: @escaping @Sendable (ScheduleResult) -> Void,
    _ schedule: @escaping @Sendable (UInt64) async -> ScheduleResult
  ) async -> Summary {
    let progress = Progress(seeds)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<max(workers, 1) {
        group.addTask {
          while let seed = progress.next() {
            let result = await schedule(seed)
            report(result)
            progress.add(result)
          }
        }
      }
    }
    return progress.summary
  }
}

/// The remaining seeds, and the results of the others.
private final class Progress: Sendable {
  private struct State {
    var rest: Range<UInt64>
    var summary = Fleet.Summary()
  }

  private let state: Mutex<State>

  init(_ seeds: Range<UInt64>) { state = Mutex(State(rest: seeds)) }

  func next() -> UInt64? {
    state.withLock { state in
      guard let seed = state.rest.first else { return nil }
      state.rest = seed + 1..<state.rest.upperBound
      return seed
    }
  }

  func add(_ result: ScheduleResult) {
    state.withLock { state in
      state.summary.counters.add(result.counters)
      if result.violation != nil { state.summary.failures.append(result) }
    }
  }

  /// The summary, with failures sorted by seed.
  var summary: Fleet.Summary {
    var summary = state.withLock { $0.summary }
    summary.failures.sort { $0.seed < $1.seed }
    return summary
  }
}
