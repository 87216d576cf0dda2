import OffshoreWire
import Testing

@testable import OffshoreSync

/// The rounds of pulls with unreadable answers.
struct PullRoundsTests {
  private let failure = SyncEngine.Failure(.malformed, "Not a page.")

  private func scope(_ number: Int) throws -> ScopeID {
    try ScopeID(kind: "charter", value: "\(number)")
  }

  /// Runs a pull until it is complete.
  /// - Returns: the number of requests, or `nil` if the pull fails.
  private func pull(
    _ rounds: inout PullRounds, _ scopes: Set<ScopeID>,
    isReadable: (Set<ScopeID>) -> Bool
  ) throws -> Int? {
    rounds.begin([scopes.subtracting(rounds.scopesSetAside)])
    for count in 1...10_000 {
      let asked = try #require(rounds.current)
      guard isReadable(asked) else {
        guard rounds.divide(after: failure, scopes: asked.sorted()) else { return nil }
        continue
      }
      var report = PullReport()
      report.isComplete = true
      report.heads = Dictionary(uniqueKeysWithValues: asked.map { ($0, 5) })
      let whole = rounds.add(report)
      guard whole.isComplete else { continue }
      #expect(Set(whole.heads.keys) == scopes)
      #expect(Set(whole.heads.filter { $0.value == .max }.keys) == rounds.scopesSetAside)
      return count
    }
    return nil
  }

  @Test func `One of 1,000 scopes is found by few requests, and costs two in later pulls`() throws {
    var rounds = PullRounds()
    let (scopes, bad) = (Set(try (0..<1_000).map(scope)), try scope(317))
    let first = try #require(try pull(&rounds, scopes) { !$0.contains(bad) })
    #expect(first < 50 && rounds.scopesSetAside == [bad])
    #expect(try pull(&rounds, scopes) { !$0.contains(bad) } == 3)
    #expect(rounds.failure?.message.contains("charter/317") == true)
    #expect(try pull(&rounds, scopes) { _ in true } == 2)
    #expect(rounds.scopesSetAside.isEmpty && rounds.failure == nil)
  }

  @Test func `Of many scopes that are set aside, each pull tries some, and each in its turn`()
    throws
  {
    var rounds = PullRounds()
    let scopes = Set(try (0..<20).map(scope))
    _ = try pull(&rounds, scopes, isReadable: \.isEmpty)
    #expect(rounds.scopesSetAside == scopes)
    var tried: Set<ScopeID> = []
    for _ in 0..<3 {
      let count = try pull(&rounds, scopes) {
        tried.formUnion($0)
        return $0.isEmpty
      }
      #expect(try #require(count) < 20)
    }
    #expect(tried == scopes)
  }

  @Test func `A failure of all requests during a pull sets nothing aside`() throws {
    var rounds = PullRounds()
    let scopes = Set(try (0..<20).map(scope))
    var requests = 0
    let count = try pull(&rounds, scopes) { asked in
      requests += 1
      return asked.isEmpty && requests < 10
    }
    #expect(count == nil && rounds.scopesSetAside.isEmpty)
  }
}
