import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// Two files with a table of bookings; the changes of one are captured for syncing.
struct CapturedBookings {
  let ours: Connection
  let baseline: Connection

  init(in folder: BenchFolder, synchronous: DatabaseConfiguration.Synchronous = .off) throws {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = synchronous
    ours = try Connection(folder.file("ours.sqlite"), configuration: configuration)
    baseline = try Connection(folder.file("baseline.sqlite"), configuration: configuration)
    for connection in [ours, baseline] { try connection.execute(SQL(raw: Booking.creation)) }
    let outbox = Outbox(
      try SyncSchema(version: 1, SyncTable(Booking.self, scope: .kind("fleet", \.id))))
    try ours.write { try outbox.install($0, device: DeviceID(UUID())) }
  }

  /// Deletes all rows and captured changes from both files.
  func empty() throws {
    try ours.execute("UPDATE _state SET applying = 1")
    for connection in [ours, baseline] { try connection.execute("DELETE FROM bookings") }
    try ours.execute("UPDATE _state SET applying = 0")
    try forget()
  }

  /// Deletes the captured changes.
  func forget() throws { try ours.execute("DELETE FROM _outbox") }

  /// Ends the job if the number of captured changes is wrong.
  func expectCaptured(_ count: Int) throws {
    let found = try ours.read { try SQL("SELECT count(*) FROM _outbox").first($0, as: Int.self) }
    try expect(found == count, "\(count) captured changes, not \(found ?? 0)")
  }
}
