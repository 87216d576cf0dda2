import OffshoreSimulator
import Testing

/// The invariants of schedules, and the variety of the schedules.
struct ScheduleTests {
  @Test(.timeLimit(.minutes(8)))
  func `Two thousand schedules hold, and meet each fault and each outcome`() async {
    let summary = await Fleet.run(1..<2_001, isBrief: true, workers: 2)
    #expect(summary.failures.map { "\($0.seed) \($0.violation.map { "\($0)" } ?? "")" } == [])
    let missing = Met.all.filter { summary.counters[$0] == 0 }
    #expect(missing == [])
  }

  @Test(arguments: [4, 17, 64, 158] as [UInt64])
  func `The same seed gives the same steps`(seed: UInt64) {
    let (first, second) = (
      Schedule.run(seed: seed, isTraced: true), Schedule.run(seed: seed, isTraced: true)
    )
    #expect(first.trace == second.trace)
    #expect(first.trace.count > 50)
    #expect(first.fingerprint == second.fingerprint)
    #expect(first.counters == second.counters)
  }

  @Test(
    arguments: [
      158, 268, 326, 482, 730, 960, 1_191, 1_959, 10_745, 11_817, 12_118, 12_283, 12_557, 18_216,
      18_699,
      21_454, 22_316, 29_270, 30_550, 33_269, 39_050, 42_592, 45_308, 46_920, 47_436, 49_372,
      111_731, 322_693,
      344_940,
      454_987,
    ] as [UInt64])
  func `A seed that failed before a fix does not fail any more`(seed: UInt64) {
    #expect(Schedule.run(seed: seed).violation == nil)
  }

  @Test func `A trace does not change a schedule`() {
    let (traced, plain) = (Schedule.run(seed: 12, isTraced: true), Schedule.run(seed: 12))
    #expect(traced.fingerprint == plain.fingerprint)
    #expect(plain.trace == [])
  }

  @Test func `Another seed gives other steps`() {
    let (first, second) = (
      Schedule.run(seed: 1, isTraced: true), Schedule.run(seed: 2, isTraced: true)
    )
    #expect(first.trace != second.trace)
  }

  @Test func `Parallel seeds have the same results as sequential ones`() async {
    let summary = await Fleet.run(20..<26, isBrief: true, workers: 2)
    var counters = Counters()
    for seed in 20..<26 as Range<UInt64> {
      counters.add(Schedule.run(seed: seed, isBrief: true).counters)
    }
    #expect(summary.counters == counters)
  }
}

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
