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

  // MARK: - Hints

  private func complete(_ rounds: inout PullRounds, head: Int64 = 5) -> PullReport {
    var report = PullReport()
    report.isComplete = true
    for scope in rounds.current ?? [] { report.heads[scope] = head }
    return rounds.add(report)
  }

  @Test func `A scope with a hint comes before the remaining rounds`() throws {
    let scopes = try (0..<6).map(scope)
    var rounds = PullRounds([Set(scopes[0...1]), Set(scopes[2...3]), Set(scopes[4...5])])
    rounds.handle(.hint(Hint(scopes[5], head: 6)))
    rounds.handle(.hint(Hint(scopes[0], head: 6)))
    #expect(!complete(&rounds).isComplete)
    #expect(rounds.current == [scopes[0], scopes[5]])
    // Its head is known by then.
    _ = complete(&rounds, head: 6)
    rounds.handle(.hint(Hint(scopes[5], head: 6)))
    #expect(rounds.current == [scopes[2], scopes[3]])
    _ = complete(&rounds)
    #expect(rounds.current == [scopes[4]])
    #expect(Set(complete(&rounds).heads.keys) == Set(scopes))
  }

  private var incomplete: PullReport {
    var report = PullReport()
    report.hasMore = true
    return report
  }

  @Test func `A scope with a hint is part of the next page of the current round`() throws {
    let scopes = try (0..<4).map(scope)
    var rounds = PullRounds([Set(scopes[0...1]), Set(scopes[2...3])])
    for number in [3, 3, 0] {
      rounds.handle(.hint(Hint(scopes[number], head: 6)))
      #expect(!rounds.add(incomplete).isComplete)
      #expect(rounds.current == [scopes[0], scopes[1], scopes[3]])
    }
    #expect(!complete(&rounds).isComplete)
    #expect(rounds.current == [scopes[2]])
    #expect(Set(complete(&rounds).heads.keys) == Set(scopes))
  }

  @Test func `A scope with a hint comes between two pages of a round that has as many as fit`()
    throws
  {
    let count = WireLimits.scopesPerPull
    let scopes = try (0..<count + 2).map(scope)
    let (full, hinted) = (Set(scopes.prefix(count)), scopes[count + 1])
    var rounds = PullRounds([full, Set(scopes.suffix(2))])
    for head in 6..<9 {
      rounds.handle(.hint(Hint(hinted, head: Int64(head))))
      #expect(rounds.current == full)
      #expect(!rounds.add(incomplete).isComplete)
      #expect(rounds.current == [hinted])
      _ = complete(&rounds, head: Int64(head))
    }
    // A scope of the round itself has to wait: its pages may be staged.
    rounds.handle(.hint(Hint(scopes[0], head: 9)))
    _ = rounds.add(incomplete)
    #expect(rounds.current == full)
  }

  @Test func `Hints without a pause do not hold the other rounds up`() throws {
    let scopes = try (0..<4).map(scope)
    var rounds = PullRounds([[scopes[0]], [scopes[1]], [scopes[2]], [scopes[3]]])
    var order: [Set<ScopeID>?] = []
    for head in 6..<100 where !rounds.isOver {
      rounds.handle(.hint(Hint(scopes[0], head: Int64(head))))
      order.append(rounds.current)
      _ = complete(&rounds, head: Int64(head) - 1)
    }
    #expect(rounds.isOver)
    #expect(order.contains([scopes[3]]) && order.count < 10)
  }

  @Test func `A hint about members changes no round`() throws {
    let scopes = try (0..<2).map(scope)
    var rounds = PullRounds([[scopes[0]], [scopes[1]]])
    rounds.handle(.hint(Hint(scopes[1], head: WireLimits.number)))
    _ = complete(&rounds)
    #expect(rounds.current == [scopes[1]] && rounds.later(1) == nil)
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
