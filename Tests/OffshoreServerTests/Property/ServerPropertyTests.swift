import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Properties that hold for all sequences of edits and for any order of requests.
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
  func `Both logs agree, and all devices converge to their state`(seed: UInt64) async throws {
    let run = try await run(seed)
    #expect(run.checks.failures.isEmpty)
  }

  @Test func `The runs reach every case`() async throws {
    var rejected: Set<Rejection.Code?> = []
    var counts = Array(repeating: 0, count: 11)
    for seed in 100..<106 as Range<UInt64> {
      let run = try await run(seed)
      let seen = run.seen
      rejected.formUnion(seen.rejected)
      let conflicts = Int(run.memory.scope(try Lists.scope()).conflicts)
      let repairs = run.devices.joined().reduce(0) { $0 + $1.repairs }
      let these = [
        seen.resyncs, run.checks.moves, seen.cascades, seen.forks, seen.gaps, seen.resealed,
        seen.conflictPages, conflicts, repairs, run.checks.usedBlobs, run.checks.unusedBlobs,
      ]
      counts = zip(counts, these).map(+)
    }
    #expect(rejected.isSuperset(of: [.unknownColumn, .missingReference, .dependency, .gone]))
    #expect(counts.allSatisfy { $0 >= 10 }, "\(counts)")
  }

  @Test(arguments: Breach.allCases)
  func `A broken rule is detected`(breach: Breach) async throws {
    var failures: Set<String> = []
    for seed in 0..<24 as Range<UInt64> where failures.isEmpty {
      failures = try await run(seed, breach: breach).checks.failures
    }
    #expect(failures.contains("A device has what the server had."))
  }
}
