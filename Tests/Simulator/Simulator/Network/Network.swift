import OffshoreWire

/// Messages in transit, which are delivered in any order, once, twice or never.
struct Network {
  private(set) var waiting: [Envelope] = []
  /// The places of devices without a connection.
  var cutOff: Set<Int> = []
  private var sent = 0

  mutating func nextNumber() -> Int {
    sent += 1
    return sent
  }

  mutating func send(_ envelope: Envelope) { waiting.append(envelope) }

  /// The indices in ``waiting`` of the messages that can be delivered now.
  var deliverable: [Int] { waiting.indices.filter { !cutOff.contains(waiting[$0].device) } }

  mutating func take(_ place: Int) -> Envelope { waiting.remove(at: place) }

  /// Discards the messages to and from a device.
  mutating func forget(_ device: Int) { waiting.removeAll { $0.device == device } }

  mutating func forgetAll() { waiting = [] }

  /// Whether messages of a device are in transit.
  func isStalled(_ device: Int) -> Bool { waiting.contains { $0.device == device } }
}
