import Offshore

/// Passes 5,000,000 rows to a closure, one at a time, in one read that adds less than 16 MiB to the
/// process.
///
/// The page cache, whose size is fixed, is full before the read.
struct IterateMillions: Job {
  let name = "iterate-5m"
  let goal = Goal.known

  private let limit = 16 << 20

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let ours = try NumberedEntry.connection(in: folder)
    let memory = try ProcessMemory()
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
    let added = try memory.added
    result.figures["KiB added"] = Double(added / 1024)
    result.counts["over 16 MiB"] = .init(found: added / limit, expected: 0)
    result.tellRate(of: NumberedEntry.count, "rows")
    return result
  }
}
