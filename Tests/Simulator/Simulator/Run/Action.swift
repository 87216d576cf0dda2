import TestSupport

/// The event of one step of a schedule.
enum Action: String, CaseIterable {
  /// A user writes.
  case work
  /// A user cancels changes that were not sent.
  case cancel
  /// A device pushes its changes, or pulls.
  case push, pull
  /// A message in transit arrives.
  case deliver
  /// A device loses its connection, or gets it back.
  case partition
  /// A device stops and starts again.
  case restart
  /// A device stops in the middle of a transaction, or its disk is full.
  case crash, fullDisk
  /// A device's clock is set.
  case setClock
  /// An account is granted another role, or its role is revoked.
  case changeGrant
  /// The server removes tombstones.
  case collect
  /// The server's data is copied, or restored from a copy.
  case keepCopy, restore
  /// A new device continues with a copy of another device's file.
  case copyDevice
  /// A device gets the app's next version.
  case upgrade
  /// Time passes without an event.
  case wait

  /// Draws the weight of the action in a schedule.
  func weight(_ random: inout SeededRandom) -> Int {
    switch self {
    case .work: random.number(in: 15...40)
    case .push, .pull: random.number(in: 8...25)
    case .deliver: random.number(in: 10...40)
    case .cancel, .partition, .wait: random.number(below: 4)
    case .restart: random.number(below: 3)
    case .collect: random.number(below: 8)
    case .crash, .fullDisk, .setClock: random.chance(40) ? random.number(in: 1...3) : 0
    case .changeGrant: random.chance(30) ? random.number(in: 1...4) : 0
    case .keepCopy: 2
    case .restore: random.chance(15) ? 3 : 0
    case .copyDevice: random.chance(12) ? 2 : 0
    case .upgrade: random.number(in: 1...3)
    }
  }
}
