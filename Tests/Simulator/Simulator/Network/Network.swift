import OffshoreWire

/// Messages that wait to be delivered, in any order, once, twice or never.
struct Network {
  private(set) var waiting: [Envelope] = []
  /// The places of devices that nobody reaches.
  var cutOff: Set<Int> = []
  private var sent = 0

  mutating func nextNumber() -> Int {
    sent += 1
    return sent
  }

  mutating func send(_ envelope: Envelope) { waiting.append(envelope) }

  /// The places in ``waiting`` of what can be delivered now.
  var deliverable: [Int] { waiting.indices.filter { !cutOff.contains(waiting[$0].device) } }

  mutating func take(_ place: Int) -> Envelope { waiting.remove(at: place) }

  /// Forgets what was on its way to or from a device.
  mutating func forget(_ device: Int) { waiting.removeAll { $0.device == device } }

  mutating func forgetAll() { waiting = [] }

  /// Whether a device's messages wait, so that it has to.
  func isStalled(_ device: Int) -> Bool { waiting.contains { $0.device == device } }
}
