import TestSupport
import Testing

@testable import OffshoreWire

/// Clocks of devices that exchange stamps.
struct ClockNetworkTests {
  private struct Event {
    let stamp: Stamp
    /// The stamps that the device had made or seen before.
    let known: [Stamp]
  }

  /// Returns the stamps of devices with wrong clocks that exchange their edits.
  private func events(seed: UInt64, learning: Bool) -> [Event] {
    var random = SeededRandom(seed: seed)
    let skews = (0..<4).map { _ in Int64(random.number(below: 20_000)) - 10_000 }
    var clocks = (0..<4).map { HybridClock(device: .sample(UInt64($0))) }
    var known = Array(repeating: [Stamp](), count: 4)
    var events: [Event] = []
    var now: Int64 = 1_000_000
    for _ in 0..<300 {
      now += Int64(random.number(below: 10))
      let (device, other) = (random.number(below: 4), random.number(below: 4))
      let shown = now + skews[device]
      if learning, random.number(below: 10) == 0 {
        clocks[device].updateOffset(server: now, sent: shown - 5, received: shown + 5)
      }
      if random.number(below: 3) > 0 {
        let stamp = clocks[device].next(at: shown)
        events.append(Event(stamp: stamp, known: known[device]))
        known[device].append(stamp)
      } else if let heard = known[other].last {
        clocks[device].observe(heard, at: shown)
        known[device].append(heard)
      }
    }
    return events
  }

  @Test(arguments: [false, true])
  func `An edit comes after all stamps that its device had made or seen`(learning: Bool) {
    for seed in 60..<66 as Range<UInt64> {
      for event in events(seed: seed, learning: learning) {
        #expect(event.known.allSatisfy { $0 < event.stamp })
      }
    }
  }

  @Test func `Different edits have different stamps`() {
    for seed in 60..<66 as Range<UInt64> {
      let stamps = events(seed: seed, learning: true).map(\.stamp)
      #expect(Set(stamps).count == stamps.count)
    }
  }

  @Test
  func `A clock with a known offset follows the server's time, however wrong the device's is`() {
    for skew in [-86_400_000, -1, 0, 1, 86_400_000] as [Int64] {
      var clock = HybridClock(device: .sample(1))
      let now: Int64 = 1_700_000_000_000
      clock.updateOffset(server: now, sent: now + skew - 20, received: now + skew + 20)
      let stamp = clock.next(at: now + skew + 1_000)
      #expect(abs(stamp.milliseconds - (now + 1_000)) <= 20)
    }
  }

  @Test func `A clamped stamp is within the limit, and not before any smaller stamp`() {
    var random = SeededRandom(seed: 67)
    for _ in 0..<1_000 {
      let (left, right) = (random.stamp(), random.stamp())
      let limit = Int64(random.number(below: 1 << 44))
      let (first, second) = (left.clamped(to: limit), right.clamped(to: limit))
      #expect(first.milliseconds <= limit && first <= left)
      if left.milliseconds <= limit { #expect(first == left) }
      if left.milliseconds <= limit, limit < right.milliseconds {
        #expect(first < second || first.milliseconds == limit)
      }
    }
  }
}
