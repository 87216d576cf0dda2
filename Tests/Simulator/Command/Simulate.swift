import Foundation
import OffshoreSimulator

/// Runs schedules and prints those that fail: `simulate --first 1 --seeds 1000`; or runs one
/// schedule with its whole trace: `simulate --seed 7`. `--brief yes` selects the short schedules of
/// the tests, `--timed yes` those in virtual time.
@main
struct Simulate {
  static func main() async {
    let options = Options(CommandLine.arguments.dropFirst())
    for (seed, path) in Fleet.brokenOff() {
      print("Seed \(seed) was under way when its process ended. Its files are in \(path)")
    }
    if let seed = options["seed"] {
      await show(seed, options)
    } else {
      await run(first: options["first"] ?? 1, count: options["seeds"] ?? 1_000, options)
    }
  }

  /// Runs one schedule and prints each step.
  private static func show(_ seed: UInt64, _ options: Options) async {
    let result =
      options.isTimed
      ? await TimedSchedule.run(seed: seed, breach: options.breach, isTraced: true)
      : Schedule.run(
        seed: seed, breach: options.breach, isBrief: options.isBrief, isTraced: true)
    for line in result.trace { print(line) }
    print("fingerprint \(result.fingerprint)")
    guard let violation = result.violation else { return print("Seed \(seed) holds.") }
    print("Seed \(seed) fails. \(violation)")
    exit(1)
  }

  /// Runs many schedules on all cores.
  private static func run(first: UInt64, count: UInt64, _ options: Options) async {
    let start = ContinuousClock.now
    let (seeds, breach) = (first..<first + count, options.breach)
    let workers = ProcessInfo.processInfo.activeProcessorCount
    let summary =
      options.isTimed
      ? await Fleet.runTimed(seeds, breach: breach, workers: workers, report: report)
      : await Fleet.run(
        seeds, breach: breach, isBrief: options.isBrief, workers: workers, report: report)
    let seconds = Double((ContinuousClock.now - start).components.seconds)
    for line in summary.counters.lines { print(line) }
    let rate = Int(Double(count) / max(seconds, 1))
    print("\(count) schedules, \(rate)/s, \(summary.failures.count) failed.")
    if !summary.failures.isEmpty { exit(1) }
  }

  /// Prints a failed schedule at once, because a run may be long.
  @Sendable private static func report(_ result: ScheduleResult) {
    guard let violation = result.violation else { return }
    print("seed \(result.seed) fails. \(violation)")
    fflush(nil)
  }
}

/// The arguments of the command: names with values.
private struct Options {
  private var values: [String: String] = [:]

  init(_ words: some Collection<String>) {
    var words = Array(words)
    while words.count >= 2 {
      values[String(words[0].drop { $0 == "-" })] = words[1]
      words.removeFirst(2)
    }
  }

  subscript(name: String) -> UInt64? { values[name].flatMap { UInt64($0) } }

  var isTimed: Bool { values["timed"] == "yes" }

  var isBrief: Bool { values["brief"] == "yes" }

  var breach: Breach? { values["breach"].flatMap { Breach(rawValue: $0) } }
}
