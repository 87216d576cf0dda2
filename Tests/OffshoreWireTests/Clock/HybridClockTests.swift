import TestSupport
import Testing

@testable import OffshoreWire

struct HybridClockTests {
  private let device = DeviceID.sample(1)

  /// Returns the stamps that a clock makes at some times.
  private func stamps(_ clock: HybridClock, at times: Int64...) -> [Stamp] {
    var clock = clock
    return times.map { clock.next(at: $0) }
  }

  @Test func `Edits in the same millisecond are counted`() {
    #expect(
      stamps(HybridClock(device: device), at: 5, 5, 5, 6) == [
        .at(5, 0), .at(5, 1), .at(5, 2), .at(6, 0),
      ])
  }

  @Test func `Stamps advance even if the clock steps back`() {
    #expect(
      stamps(HybridClock(device: device), at: 5, 1, .min, 5, 6) == [
        .at(5, 0), .at(5, 1), .at(5, 2), .at(5, 3), .at(6, 0),
      ])
  }

  @Test func `A full counter carries into the milliseconds`() {
    let clock = HybridClock(device: device, latest: .at(5, 0xFFFE))
    #expect(stamps(clock, at: 5, 5, 6, 7) == [.at(5, 0xFFFF), .at(6, 0), .at(6, 1), .at(7, 0)])
  }

  @Test func `A clock continues after the stamps that it has seen`() {
    var clock = HybridClock(device: device)
    clock.observe(.at(9, 4, by: 7), at: 5)
    #expect(clock.latest == .at(9, 4))
    #expect(stamps(clock, at: 5, 10) == [.at(9, 5), .at(10, 0)])
  }

  @Test func `An old stamp changes nothing`() {
    var clock = HybridClock(device: device, latest: .at(9))
    clock.observe(.at(3, 4, by: 7), at: 5)
    #expect(clock.latest == .at(9))
  }

  @Test func `A restored clock continues, even for another device`() {
    let clock = HybridClock(device: .sample(2), latest: .at(9, 1, by: 1))
    #expect(stamps(clock, at: 3) == [.at(9, 2, by: 2)])
  }

  @Test func `At the largest time stamps stay the same`() {
    let clock = HybridClock(device: device, latest: .at(.max, 0xFFFF))
    #expect(stamps(clock, at: .max, 0) == [.at(.max, 0xFFFF), .at(.max, 0xFFFF)])
  }

  @Test func `Stamps use the server's time as far as it is known`() {
    var clock = HybridClock(device: device)
    clock.updateOffset(server: 5_000, sent: 1_000, received: 1_000)
    #expect(clock.offset.milliseconds == 4_000)
    #expect(stamps(clock, at: 2_000) == [.at(6_000)])
  }

  @Test func `Each stamp comes after all previous ones, whatever happens`() {
    var random = SeededRandom(seed: 4)
    var clock = HybridClock(device: device)
    var last = Stamp.at(0)
    for _ in 0..<5_000 {
      let now = Int64(random.number(below: 1_000))
      switch random.number(below: 4) {
      case 0: clock.observe(.at(Int64(random.number(below: 2_000)), by: 2), at: now)
      case 1:
        clock.updateOffset(server: Int64(random.number(below: 1_000)), sent: now, received: now + 9)
      default:
        let stamp = clock.next(at: now)
        #expect(last < stamp)
        last = stamp
      }
    }
  }
}

struct ClockOffsetTests {
  private func offset(_ known: Int64?, after answers: (Int64, Int64, Int64)...) -> Int64? {
    var offset = ClockOffset(milliseconds: known)
    for answer in answers { offset.update(server: answer.0, sent: answer.1, received: answer.2) }
    return offset.milliseconds
  }

  @Test func `The first answer gives the offset, measured at the middle of the request`() {
    #expect(offset(nil, after: (1_000, 100, 140)) == 880)
    #expect(offset(nil, after: (100, 1_000, 1_040)) == -920)
  }

  @Test func `An offset within the bounds of an answer stays`() {
    #expect(offset(880, after: (1_000, 100, 9_100)) == 880)
  }

  @Test func `An offset out of bounds moves to the nearer bound`() {
    #expect(offset(0, after: (1_000, 100, 140)) == 860)
    #expect(offset(5_000, after: (1_000, 100, 140)) == 900)
  }

  @Test func `An answer during which the clock stepped back is ignored`() {
    #expect(offset(7, after: (1_000, 100, 99)) == 7)
    #expect(offset(nil, after: (1_000, 100, 99)) == nil)
  }

  @Test func `Times out of range become the nearest valid ones`() {
    #expect(offset(nil, after: (.max, .min, .min)) == (1 << 48) - 1)
    #expect(offset(nil, after: (.min, .max, .max)) == 1 - (1 << 48))
    #expect(ClockOffset(milliseconds: .max).serverTime(at: 1) == 1)
  }

  @Test func `Without an answer the server's time is the device's`() {
    #expect(ClockOffset().serverTime(at: 5) == 5)
  }
}
