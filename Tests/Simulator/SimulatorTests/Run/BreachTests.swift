import OffshoreSimulator
import Testing

/// That the invariants notice what they are there for.
struct BreachTests {
  /// How many seeds a breach is given.
  private static let seeds: Range<UInt64> = 1..<81

  @Test(.timeLimit(.minutes(5)), arguments: Breach.allCases)
  func `A broken rule is noticed, and only that`(breach: Breach) throws {
    let result = Self.seeds.lazy.map { Schedule.run(seed: $0, breach: breach) }
      .first { $0.violation != nil }
    let found = try #require(result)
    let invariant = try #require(found.violation?.invariant)
    #expect(breach.expected.contains(invariant), "\(String(describing: found.violation))")
    #expect(Schedule.run(seed: found.seed).violation == nil)
  }

  @Test func `Each invariant notices some breach`() {
    let noticed = Breach.allCases.reduce(into: Set<Invariant>()) { $0.formUnion($1.expected) }
    #expect(Set(Invariant.allCases).subtracting(noticed) == [])
  }
}
