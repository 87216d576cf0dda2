import Foundation
import OffshoreSimulator

/// Runs schedules and tells which of them fail: `simulate --first 1 --seeds 1000`, or one with its
/// whole trace: `simulate --seed 7`. With `--brief yes` schedules are those of the tests.
@main
struct Simulate {
  static func main() async {
    let options = Options(CommandLine.arguments.dropFirst())
    for (seed, path) in Fleet.brokenOff() {
      print("Seed \(seed) was under way when its process ended. Its files are in \(path)")
    }
    if let seed = options["seed"] {
      show(seed, options)
    } else {
      await run(first: options["first"] ?? 1, count: options["seeds"] ?? 1_000, options)
    }
  }

  /// Shows each step of one schedule.
  private static func show(_ seed: UInt64, _ options: Options) {
    let result = Schedule.run(
      seed: seed, breach: options.breach, isBrief: options.isBrief, isTraced: true)
    for line in result.trace { print(line) }
    print("fingerprint \(result.fingerprint)")
    guard let violation = result.violation else { return print("Seed \(seed) holds.") }
    print("Seed \(seed) fails. \(violation)")
    exit(1)
  }

  /// Runs many on all cores.
  private static func run(first: UInt64, count: UInt64, _ options: Options) async {
    let start = ContinuousClock.now
    let summary = await Fleet.run(
      first..<first + count, breach: options.breach, isBrief: options.isBrief,
      workers: ProcessInfo.processInfo.activeProcessorCount
    ) { result in
      guard let violation = result.violation else { return }
      print("seed \(result.seed) fails. \(violation)")
      // Whoever waits for a long run sees it at once.
      fflush(nil)
    }
    let seconds = Double((ContinuousClock.now - start).components.seconds)
    for line in summary.counters.lines { print(line) }
    let rate = Int(Double(count) / max(seconds, 1))
    print("\(count) schedules, \(rate)/s, \(summary.failures.count) failed.")
    if !summary.failures.isEmpty { exit(1) }
  }
}

/// The words after the command's name: names with values.
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

  var isBrief: Bool { values["brief"] == "yes" }

  var breach: Breach? { values["breach"].flatMap { Breach(rawValue: $0) } }
}
