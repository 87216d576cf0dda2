import Foundation
import Offshore

/// Passes 5,000,000 rows to a closure, one at a time, in one read that adds less than 16 MiB to the process.
///
/// The page cache, whose size is fixed, is full before.
struct IterateMillions: Job {
  let name = "iterate-5m"
  let goal = Goal.known

  private let limit = 16_384

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let ours = try NumberedEntry.connection(in: folder)
    let before = try Self.kibibytes("VmRSS")
    // From now on the peak is that of the iterations.
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    var result = try await Measurement.alone(rounds: 3) {
      var (count, sum) = (0, 0)
      try ours.read { reader in
        try NumberedEntry.all.forEach(reader) { entry in
          count += 1
          sum += entry.kind
        }
      }
      try expect(count == NumberedEntry.count && sum > 0, "all rows")
    }
    let added = max(0, try Self.kibibytes("VmHWM") - before)
    result.figures["added KiB"] = Double(added)
    result.counts["over 16 MiB"] = .init(found: added / limit, expected: 0)
    result.tellRate(of: NumberedEntry.count, "rows")
    return result
  }

  /// A size of this process, as the kernel counts it.
  private static func kibibytes(_ name: String) throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      .split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("\(name):") }),
      let size = Int(line.filter(\.isNumber))
    else { throw WrongResult(description: "The kernel does not state \(name).") }
    return size
  }
}
