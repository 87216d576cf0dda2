import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire

/// A device: the product with a real file, and the simulator's record of its user.
final class SimulatedDevice {
  /// The device's place among the schedule's devices.
  let place: Int
  let account: AccountID
  private(set) var version: AppVersion
  private(set) var connection: Connection
  let file: String
  /// The difference of the device's clock from the true time, in milliseconds.
  var skew: Int64
  /// The number of starts.
  private(set) var starts = 1
  var ledger = Ledger()
  /// The number of texts that the user has written.
  private var written = 0
  /// The report of the last answer to a pull.
  var lastReport: PullReport?
  /// The highest number of an answer that the device has processed.
  var lastTaken = 0
  /// The tokens that the device has shown and that the server has.
  var tokens: Set<String> = []
  /// The highest cursor of each scope, with its epoch.
  var cursors: [String: Cursor] = [:]
  /// The edits of counters that were sent and are neither pulled nor refused.
  var sentOps: [OpKey: SentOp] = [:]
  /// The hashes of sent batches, by epoch, device, scope and number.
  var sealed: [String: ContentHash] = [:]

  struct Cursor: Equatable {
    let epoch: Int64
    let seq: Int64
  }

  init(
    _ place: Int, _ account: AccountID, _ version: AppVersion, file: String, skew: Int64,
    newID: DeviceID? = nil
  ) throws {
    self.place = place
    self.account = account
    self.version = version
    self.file = file
    self.skew = skew
    connection = try DeviceFiles.open(file)
    try install()
    if let newID { try connection.write { try DeviceFiles.rename($0, to: newID) } }
  }

  deinit { connection.close() }

  var name: String { "d\(place)" }

  var replica: Replica { version.replica }

  func clock(at now: Int64) -> Int64 { now + skew }

  /// Returns a text that was never written before.
  func text(padding: Int = 0) -> String {
    written += 1
    return Text.make(place, written, padding: padding)
  }

  // MARK: - Starting

  private func install() throws {
    let nobody = DeviceID(UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    try connection.write { try replica.outbox.install($0, device: nobody) }
  }

  /// Stops as in a power cut, and starts again.
  func restart() throws {
    connection.close()
    connection = try DeviceFiles.open(file)
    starts += 1
    try install()
  }

  /// Starts a later version of the app, which migrates the file.
  func upgrade(to version: AppVersion) throws {
    connection.close()
    connection = try DeviceFiles.open(file)
    starts += 1
    try connection.write { writer in
      // NB: Like a migration, whose changes are not captured.
      try SQL("UPDATE _state SET applying = 1 WHERE k = 1").run(writer)
      try Note.migration.run(writer)
      try SQL("UPDATE _state SET applying = 0 WHERE k = 1").run(writer)
    }
    self.version = version
    try install()
  }

  /// Copies the file and returns a device that continues with the copy, as after a restored backup.
  func twin(_ place: Int, in files: DeviceFiles, skew: Int64) throws -> SimulatedDevice {
    connection.close()
    let copy = try files.copy(file)
    connection = try DeviceFiles.open(file)
    starts += 1
    try install()
    let twin = try SimulatedDevice(place, account, version, file: copy, skew: skew)
    twin.ledger = ledger
    return twin
  }

  // MARK: - Disk

  /// Runs a closure while the file cannot grow.
  func withFullDisk<Result>(_ body: () throws -> Result) throws -> Result {
    let pages = try number("PRAGMA page_count")
    try connection.execute(SQL(raw: "PRAGMA max_page_count = \(pages)"))
    defer { try? connection.execute("PRAGMA max_page_count = 1073741823") }
    return try body()
  }

  // MARK: - Reading

  func number(_ sql: SQL) throws -> Int {
    try connection.read { try sql.first($0, as: Int.self) ?? 0 }
  }

  func texts(_ sql: SQL) throws -> [String] {
    try connection.read { try sql.all($0, as: String.self) }
  }
}
