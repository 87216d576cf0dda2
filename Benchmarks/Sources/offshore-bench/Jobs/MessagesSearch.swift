import MessAI

/// Searches 1,000,000 messages for common and rare words and beginnings, the newest 50 first. The time is that
/// of the slowest search. The median of each is reported beside it, in microseconds.
struct MessagesSearch: Job {
  let name = "messages-search"
  let goal = Goal.milliseconds(must: 50)

  /// The texts that are searched for, and the number of messages that are found. About 9,000 messages have
  /// both “tenth” and “eleventh”, and a word that begins with “qu”.
  private let searches = [
    ("every", 50), ("every often", 50), ("tenth eleventh", 50), ("zanzibar", 20), ("qu", 50),
    ("every zanzibar", 20), ("nowhere", 0),
  ]

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let manager = try await MessagesOnDisk(in: folder).manager
    var (measurement, times) = (Measurement(), [String: [Double]]())
    // The first round is not counted: its pages come from the disk.
    for round in -1..<Measurement.rounds {
      var slowest = 0.0
      for (text, count) in searches {
        var found: [Message] = []
        let time = try await Measurement.milliseconds {
          found = try await manager.searchMessages(text)
        }
        try expect(found.count == count, "\(count) messages with “\(text)”, not \(found.count)")
        let isSorted = zip(found, found.dropFirst()).allSatisfy { $0.sentAt > $1.sentAt }
        try expect(isSorted, "the newest messages with “\(text)” first")
        slowest = max(slowest, time)
        if round >= 0 { times[text, default: []].append(time) }
      }
      if round >= 0 { measurement.ours.append(slowest) }
    }
    for (text, times) in times {
      measurement.figures["\(text) µs"] = (times.median * 1_000).rounded()
    }
    return measurement
  }
}
