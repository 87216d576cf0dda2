import OffshoreSimulator
import Testing

/// The invariants of timed schedules, and the variety of the schedules.
struct TimedScheduleTests {
  @Test(.timeLimit(.minutes(8)))
  func `A hundred timed schedules hold, and meet each action and each disturbance`() async {
    let summary = await Fleet.runTimed(1..<101, workers: 2)
    #expect(summary.failures.map { "\($0.seed) \($0.violation.map { "\($0)" } ?? "")" } == [])
    #expect(Met.timed.filter { summary.counters[$0] == 0 } == [])
  }

  @Test(arguments: [3, 8, 21] as [UInt64])
  func `The same seed gives the same steps`(seed: UInt64) async {
    let first = await TimedSchedule.run(seed: seed, isTraced: true)
    let second = await TimedSchedule.run(seed: seed, isTraced: true)
    #expect(first.trace == second.trace)
    #expect(first.trace.count > 50)
    #expect(first.fingerprint == second.fingerprint)
    let plain = await TimedSchedule.run(seed: seed)
    #expect(plain.fingerprint == first.fingerprint && plain.trace == [])
  }
}
