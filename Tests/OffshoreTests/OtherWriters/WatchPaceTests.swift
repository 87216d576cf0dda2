import Testing

@testable import Offshore

struct WatchPaceTests {
  /// Returns the waits after each of some ends of waits, until only an event ends the wait.
  private func waits(_ pace: inout WatchPace, _ ends: (hasEvents: Bool, hasForeignCommits: Bool)...)
    -> [WatchPace.Wait]
  {
    ends.map { end in
      pace.waited(hasEvents: end.hasEvents, hasForeignCommits: end.hasForeignCommits)
      return pace.next
    }
  }

  private func pause(_ milliseconds: Int) -> WatchPace.Wait {
    WatchPace.Wait(atMost: .milliseconds(milliseconds), ignoresEvents: true)
  }

  private func delay(_ milliseconds: Int) -> WatchPace.Wait {
    WatchPace.Wait(atMost: .milliseconds(milliseconds))
  }

  private let nothing = (hasEvents: false, hasForeignCommits: false)
  private let events = (hasEvents: true, hasForeignCommits: false)
  private let foreignCommit = (hasEvents: true, hasForeignCommits: true)

  @Test func `Without an event no wait has an end time`() {
    let pace = WatchPace()
    #expect(pace.isIdle)
    #expect(pace.next == WatchPace.Wait(atMost: nil))
  }

  @Test func `After an event, files are checked seven times, and then no more`() {
    var pace = WatchPace()
    let after = waits(
      &pace, events, nothing, nothing, nothing, nothing, nothing, nothing, nothing)
    #expect(
      after == [
        pause(5), delay(20), delay(60), delay(120), delay(200), delay(400), delay(800),
        WatchPace.Wait(atMost: nil),
      ])
    #expect(pace.isIdle)
  }

  @Test func `Events without commits make pauses that grow to 40 ms`() {
    var pace = WatchPace()
    let after = waits(&pace, events, events, events, events, events)
    #expect(after == [pause(5), pause(10), pause(20), pause(40), pause(40)])
  }

  @Test func `A commit makes the pauses short again`() {
    var pace = WatchPace()
    let after = waits(&pace, events, events, foreignCommit, events)
    #expect(after == [pause(5), pause(10), pause(5), pause(10)])
  }

  @Test func `An event between two checks restarts them`() {
    var pace = WatchPace()
    let after = waits(&pace, events, nothing, nothing, events, nothing)
    #expect(after == [pause(5), delay(20), delay(60), pause(10), delay(20)])
  }
}
