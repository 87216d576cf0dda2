import Dispatch
import TestSupport
import Testing

@testable import Offshore

/// Many commits by several processes and databases, in a process without other tests.
@Suite(.timeLimit(.minutes(1)))
struct ManyWritersTests {
  /// The highest number of each writer when a value was delivered.
  private struct Delivery {
    let time: UInt64
    let numbers: [Int: Int]
  }

  private func numbers(_ database: Database) -> ObservedValues<[Int: Int]> {
    database.values { reader in
      let rows = try reader.connection.fetch(
        "SELECT writer, max(number) FROM entries GROUP BY writer"
      ) {
        (try $0.value(Int.self), try $0.value(Int.self))
      }
      return Dictionary(uniqueKeysWithValues: rows)
    }
  }

  /// Observes a database until each writer has reached its number.
  private func follow(_ database: Database, until end: [Int: Int]) async throws -> [Delivery] {
    var deliveries: [Delivery] = []
    for try await numbers in self.numbers(database) {
      deliveries.append(Delivery(time: DispatchTime.now().uptimeNanoseconds, numbers: numbers))
      if numbers == end { break }
    }
    return deliveries
  }

  /// Commits rows one by one.
  /// - Returns: The time of each commit.
  private func write(_ count: Int, _ writer: Int, _ database: Database) async throws -> [UInt64] {
    var times: [UInt64] = []
    for number in 1...count {
      try await database.write { try $0.run("INSERT INTO entries VALUES (\(writer), \(number))") }
      times.append(DispatchTime.now().uptimeNanoseconds)
    }
    return times
  }

  /// The delays from each commit to the first value that contains it, shortest first.
  private func delays(_ commits: [Int: [UInt64]], _ deliveries: [Delivery]) throws -> [Duration] {
    var delays: [Duration] = []
    for (writer, times) in commits {
      var next = deliveries[...]
      for (index, time) in times.enumerated() {
        next = next.drop { $0.numbers[writer] ?? 0 <= index }
        let seen = try #require(next.first).time
        delays.append(.nanoseconds(Int64(seen) - Int64(time)))
      }
    }
    return delays.sorted()
  }

  @Test func `Each of 10,000 commits by two processes and two databases is seen within 200 ms`()
    async throws
  {
    await #expect(processExitsWith: .success) { try await ManyWritersTests().run() }
  }

  private func run() async throws {
    let shared = try await SharedCharters()
    let (first, path) = (shared.database, shared.path)
    try await first.write { try $0.run("CREATE TABLE entries (writer INTEGER, number INTEGER)") }
    try await first.write { try $0.run("CREATE INDEX numbers ON entries (writer, number)") }
    let second = try Database(path, configuration: .quick)
    let other = try OtherProcess(path, synchronous: "NORMAL")
    let end = [1: 2500, 2: 2500, 3: 5000]
    async let firstDeliveries = follow(first, until: end)
    async let secondDeliveries = follow(second, until: end)
    async let firstCommits = write(2500, 1, first)
    async let secondCommits = write(2500, 2, second)
    async let otherCommits = other.commit(
      (1...5000).map { "INSERT INTO entries VALUES (3, \($0))" })
    let commits = try await [
      1: firstCommits, 2: secondCommits, 3: otherCommits.map(\.uptimeNanoseconds),
    ]
    for deliveries in try await [firstDeliveries, secondDeliveries] {
      #expect(deliveries.last?.numbers == end)
      let delays = try delays(commits, deliveries)
      #expect(delays.count == 10_000)
      #expect(delays[9_900] < .milliseconds(200), "at the most \(delays[9_999])")
    }
    await first.close()
    await second.close()
    await other.end()
  }
}
