import OffshoreSimulator
import Testing

/// Tests that the invariants detect the breaches they are meant for.
struct BreachTests {
  private static let finds = Finds()

  @Test(.timeLimit(.minutes(5)), arguments: Breach.allCases)
  func `A broken rule is detected, and only by an expected invariant`(breach: Breach) async throws {
    let found = try #require(await Self.finds.first(of: breach))
    let invariant = try #require(found.violation?.invariant)
    #expect(breach.expected.contains(invariant), "\(String(describing: found.violation))")
    // The same schedule passes without the breach.
    let control = await breach.run(seed: found.seed, isControl: true)
    #expect(control.violation == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `Each invariant detects a breach`() async {
    var noticed: Set<Invariant> = []
    for breach in Breach.allCases {
      if let found = await Self.finds.first(of: breach)?.violation?.invariant {
        noticed.insert(found)
      }
    }
    #expect(Set(Invariant.allCases).subtracting(noticed) == [])
  }

  @Test(arguments: Invariant.allCases)
  func `Each invariant is the only one expected to detect some breach`(invariant: Invariant) {
    #expect(Breach.allCases.contains { $0.expected == [invariant] })
  }
}

/// The results of schedules with a broken rule, each computed once for all tests.
private actor Finds {
  /// The seeds that are tried for a breach.
  private static let seeds: Range<UInt64> = 1..<161
  private var runs: [Breach: Task<ScheduleResult?, Never>] = [:]

  /// Returns the first schedule in which a breach is detected.
  func first(of breach: Breach) async -> ScheduleResult? {
    let run =
      runs[breach]
      ?? Task.detached {
        for seed in Self.seeds {
          let result = await breach.run(seed: seed)
          if result.violation != nil { return result }
        }
        return nil
      }
    runs[breach] = run
    return await run.value
  }
}

extension Breach {
  /// Runs a schedule of the kind that the rule belongs to.
  fileprivate func run(seed: UInt64, isControl: Bool = false) async -> ScheduleResult {
    isTimed
      ? await TimedSchedule.run(seed: seed, breach: self, isControl: isControl)
      : Schedule.run(seed: seed, breach: self, isControl: isControl)
  }
}
