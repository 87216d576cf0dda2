import TestSupport

/// The time of a simulation, which advances from event to event, with random numbers and a trace.
final class VirtualTime {
  /// An action at a point in time.
  typealias Event = () async throws -> Void

  /// The time in milliseconds since 1970.
  private(set) var now: Int64 = 1_700_000_000_000
  var random: SeededRandom
  private(set) var counters = Counters()
  let trace: Trace
  /// The events, latest first, because the next event is removed from the end.
  private var events: [(time: Int64, event: Event)] = []

  init(_ random: SeededRandom, _ trace: Trace) {
    self.random = random
    self.trace = trace
  }

  /// Adds an event after a number of milliseconds.
  func after(_ milliseconds: Int64, _ event: @escaping Event) { at(now + milliseconds, event) }

  /// Adds an event. Events of the same time run in the order in which they were added.
  func at(_ time: Int64, _ event: @escaping Event) {
    let place = events.firstIndex { $0.time <= time } ?? events.count
    events.insert((time, event), at: place)
  }

  /// Advances the time and runs all events up to then.
  func run(for milliseconds: Int64) async throws {
    let end = now + milliseconds
    while try await step(until: end) {}
    now = end
  }

  /// Advances the time to the next event and runs it.
  /// - Returns: Whether there was an event up to the given time.
  func step(until end: Int64) async throws -> Bool {
    guard let next = events.last, next.time <= end else { return false }
    events.removeLast()
    now = next.time
    try await next.event()
    return true
  }

  /// Removes all events, to break reference cycles with the objects that added them.
  func removeEvents() { events = [] }

  /// Draws the latency of a message in milliseconds.
  func latency() -> Int64 { Int64(random.number(in: 1...80)) }

  /// Counts an action or a disturbance.
  func count(_ name: String) { counters.add("time.\(name)") }

  /// Adds a line to the trace.
  func note(_ line: @autoclosure () -> String) {
    trace.add("\(now % 10_000_000): \(line())")
  }
}
