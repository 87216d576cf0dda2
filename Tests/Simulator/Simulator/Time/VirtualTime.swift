import TestSupport

/// The time of a simulation, which passes from event to event, with the random numbers and the trace.
final class VirtualTime {
  /// Something that happens at a time.
  typealias Event = () async throws -> Void

  /// The time in milliseconds since 1970.
  private(set) var now: Int64 = 1_700_000_000_000
  var random: SeededRandom
  private(set) var counters = Counters()
  let trace: Trace
  /// The latest first, because the next event is removed from the end.
  private var events: [(time: Int64, event: Event)] = []

  init(_ random: SeededRandom, _ trace: Trace) {
    self.random = random
    self.trace = trace
  }

  /// Adds an event that happens after some milliseconds.
  func after(_ milliseconds: Int64, _ event: @escaping Event) { at(now + milliseconds, event) }

  /// Adds an event. Events of one time happen in the order in which they were added.
  func at(_ time: Int64, _ event: @escaping Event) {
    let place = events.firstIndex { $0.time <= time } ?? events.count
    events.insert((time, event), at: place)
  }

  /// Lets some milliseconds pass, with all their events.
  func run(for milliseconds: Int64) async throws {
    let end = now + milliseconds
    while try await step(until: end) {}
    now = end
  }

  /// Lets the time pass to the next event.
  /// - Returns: Whether there is one until a time.
  func step(until end: Int64) async throws -> Bool {
    guard let next = events.last, next.time <= end else { return false }
    events.removeLast()
    now = next.time
    try await next.event()
    return true
  }

  /// Removes all events, which refer to what has added them.
  func removeEvents() { events = [] }

  /// Draws the milliseconds that a message takes.
  func latency() -> Int64 { Int64(random.number(in: 1...80)) }

  /// Counts something that schedules are to meet.
  func count(_ name: String) { counters.add("time.\(name)") }

  /// Adds a line to the trace.
  func note(_ line: @autoclosure () -> String) {
    trace.add("\(now % 10_000_000): \(line())")
  }
}
