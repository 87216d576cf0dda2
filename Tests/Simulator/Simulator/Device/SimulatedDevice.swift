import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire

/// A device: the product over a real file, and what the simulator knows of its user.
final class SimulatedDevice {
  /// Its place among the schedule's devices.
  let place: Int
  let account: AccountID
  private(set) var version: AppVersion
  private(set) var connection: Connection
  let file: String
  /// How far its clock is ahead of the true time.
  var skew: Int64
  /// How often it was started.
  private(set) var starts = 1
  var ledger = Ledger()
  /// How many texts its user has written.
  private var written = 0
  /// What became of the last answer to a pull.
  var lastReport: PullReport?
  /// The number of the last answer that it has taken.
  var lastTaken = 0
  /// The tokens that it has shown since the server has them.
  var tokens: Set<String> = []
  /// How far it has been seen to be in each scope, in which epoch.
  var cursors: [String: Cursor] = [:]
  /// What it has sent of rows with counters, until that is pulled or set aside.
  var sentOps: [OpKey: SentOp] = [:]
  /// The hashes of what it has sent, by epoch, name, scope and number.
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

  /// A text that nobody has written.
  func text(padding: Int = 0) -> String {
    written += 1
    return Text.make(place, written, padding: padding)
  }

  // MARK: - Starting

  private func install() throws {
    let nobody = DeviceID(UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    try connection.write { try replica.outbox.install($0, device: nobody) }
  }

  /// Stops as by a power cut, and starts again.
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
      // NB: As a migration does, which is not captured.
      try SQL("UPDATE _state SET applying = 1 WHERE k = 1").run(writer)
      try Note.migration.run(writer)
      try SQL("UPDATE _state SET applying = 0 WHERE k = 1").run(writer)
    }
    self.version = version
    try install()
  }

  /// Goes on with a copy of the file, as another device would that a backup was put on.
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
    try connection.read { try sql.one($0, as: Int.self) ?? 0 }
  }

  func texts(_ sql: SQL) throws -> [String] {
    try connection.read { try sql.all($0, as: String.self) }
  }
}
