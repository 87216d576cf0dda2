import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport

extension Schedule {
  /// Inserts the first rows and pulls them on all devices, before faults begin.
  func warmUp() throws {
    trace.add("warming up")
    isCalm = true
    defer { isCalm = false }
    for device in devices {
      try fetch(device)
      for board in boards where mayWrite(device, board) { try furnish(board, device) }
      while try push(device) {}
    }
    for device in devices { try fetch(device) }
  }

  private func mayWrite(_ device: SimulatedDevice, _ board: ScopeID) -> Bool {
    server.log.scope(board).head == 0
      && server.history.role(of: device.account, in: board)?.canWrite == true
  }

  private func furnish(_ board: ScopeID, _ device: SimulatedDevice) throws {
    var work = LocalWork(
      device, profile.habits, boards: [board.value], random: SeededRandom(seed: random.next()))
    try device.connection.write { writer in
      try work.makeBoard(writer)
      for _ in 0..<3 { try work.makeCard(writer) }
      try work.makeCard(isToken: true, writer)
      try work.makeNote(writer)
    }
    trace.add("  \(device.name): \(work.words.joined(separator: "; "))")
    try device.note(work)
  }

  /// Pulls until a device has all changes, without faults.
  /// - Throws: `Violation` if no answer ever reports that it has all.
  func fetch(_ device: SimulatedDevice) throws {
    for _ in 0..<Self.pullLimit {
      now += 10
      device.lastReport = nil
      try pull(device)
      guard let report = device.lastReport else { return }
      if report.isComplete, !report.hasMore { return }
    }
    throw Violation(.settles, "\(device.name) is never told that it has all.")
  }

  /// The most pulls until a device must have all changes.
  private static let pullLimit = 500
}
