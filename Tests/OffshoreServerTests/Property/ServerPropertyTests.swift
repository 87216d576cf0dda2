import OffshoreWire
import Testing

@testable import OffshoreServer

/// What holds whatever devices do, and however their requests arrive.
struct ServerPropertyTests {
  private func run(_ seed: UInt64, breach: Breach? = nil, steps: Int = 400) async throws
    -> ServerRun
  {
    var run = try ServerRun(seed: seed, breach: breach)
    try await run.run(steps: steps)
    await run.sqlite.close()
    return run
  }

  @Test(arguments: 0..<16 as Range<UInt64>)
  func `Both logs agree, and all devices end with what they have`(seed: UInt64) async throws {
    let run = try await run(seed)
    #expect(run.failures.isEmpty)
  }

  @Test func `Runs go through refusals, moves, conflicts and first syncs`() async throws {
    var rejected: Set<Rejection.Code?> = []
    var (moves, resyncs, conflicts) = (0, 0, 0)
    for seed in 100..<104 as Range<UInt64> {
      let run = try await run(seed)
      rejected.formUnion(run.rejected)
      moves += run.moves
      resyncs += run.resyncs
      let scope = try Lists.scope()
      for task in 0..<6 {
        conflicts += run.memory.conflicts(of: Lists.task("t\(task)"), in: scope).count
      }
    }
    #expect(rejected.isSuperset(of: [.unknownColumn, .missingReference, .dependency, .gone]))
    #expect(min(moves, resyncs, conflicts) >= 10)
  }

  @Test(arguments: Breach.allCases)
  func `A broken rule is noticed`(breach: Breach) async throws {
    var failures: Set<String> = []
    for seed in 0..<24 as Range<UInt64> where failures.isEmpty {
      failures = try await run(seed, breach: breach).failures
    }
    #expect(failures.contains("A device has what the server had."))
  }
}
