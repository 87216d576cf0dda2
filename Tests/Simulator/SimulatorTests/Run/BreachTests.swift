import OffshoreSimulator
import Testing

/// That the invariants notice what they are there for.
struct BreachTests {
  private static let finds = Finds()

  @Test(.timeLimit(.minutes(5)), arguments: Breach.allCases)
  func `A broken rule is noticed, and only that`(breach: Breach) async throws {
    let found = try #require(await Self.finds.first(of: breach))
    let invariant = try #require(found.violation?.invariant)
    #expect(breach.expected.contains(invariant), "\(String(describing: found.violation))")
    // The same schedule holds when the rule does.
    let control = await breach.run(seed: found.seed, isControl: true)
    #expect(control.violation == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `Each invariant notices some breach`() async {
    var noticed: Set<Invariant> = []
    for breach in Breach.allCases {
      if let found = await Self.finds.first(of: breach)?.violation?.invariant {
        noticed.insert(found)
      }
    }
    #expect(Set(Invariant.allCases).subtracting(noticed) == [])
  }

  @Test(arguments: Invariant.allCases)
  func `Each invariant has a breach that nothing else is to notice`(invariant: Invariant) {
    #expect(Breach.allCases.contains { $0.expected == [invariant] })
  }
}

/// What becomes of schedules with a broken rule, each of which is run once for all tests.
private actor Finds {
  /// How many seeds a breach is given.
  private static let seeds: Range<UInt64> = 1..<81
  private var runs: [Breach: Task<ScheduleResult?, Never>] = [:]

  /// The first schedule in which a breach is noticed.
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
  /// Runs a schedule of the kind that the rule is for.
  fileprivate func run(seed: UInt64, isControl: Bool = false) async -> ScheduleResult {
    isTimed
      ? await TimedSchedule.run(seed: seed, breach: self, isControl: isControl)
      : Schedule.run(seed: seed, breach: self, isControl: isControl)
  }
}
