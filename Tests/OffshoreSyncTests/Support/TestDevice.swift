import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// A file with the fleet's tables, prepared for syncing by default.
final class TestDevice {
  let folder: TemporaryFolder
  private(set) var connection: Connection
  let outbox: Outbox
  private var ids = 0

  /// Returns an id with the next number.
  func nextID() -> UUID {
    ids += 1
    return UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", ids)) ?? UUID()
  }

  static let id = DeviceID(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))

  init(
    _ schema: SyncSchema? = nil, creating tables: [SQL] = [Charter.creation, Task.creation],
    isInstalled: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    connection = try Self.open(folder)
    outbox = Outbox(try schema ?? .fleet())
    for sql in tables { try connection.execute(sql) }
    if isInstalled { try install() }
  }

  /// Opens an existing file.
  private init(_ folder: TemporaryFolder, _ outbox: Outbox) throws {
    self.folder = folder
    self.outbox = outbox
    connection = try Self.open(folder)
    try connection.write { try outbox.install($0, device: Self.id) }
  }

  deinit { connection.close() }

  /// Returns a device with a copy of this one's file.
  func copy() throws -> TestDevice {
    let other = try TemporaryFolder()
    connection.close()
    try FileManager.default.copyItem(
      atPath: folder.file("device.sqlite"), toPath: other.file("device.sqlite"))
    connection = try Self.open(folder)
    try connection.write { try outbox.install($0, device: Self.id) }
    return try TestDevice(other, outbox)
  }

  private static func open(_ folder: TemporaryFolder) throws -> Connection {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    return try Connection(folder.file("device.sqlite"), configuration: configuration)
  }

  /// Closes the file and opens it again.
  func reopen() throws {
    connection.close()
    connection = try Self.open(folder)
  }

  /// Opens another connection to the file, without syncing.
  func otherConnection() throws -> Connection { try Self.open(folder) }

  func install(_ schema: SyncSchema? = nil) throws {
    let outbox = schema.map(Outbox.init) ?? outbox
    try connection.write { try outbox.install($0, device: Self.id) }
  }

  /// Runs statements in one write.
  func run(_ statements: SQL...) throws {
    try connection.write { writer in for sql in statements { try sql.run(writer) } }
  }

  func texts(_ sql: SQL) throws -> [String] {
    try connection.read { try sql.all($0, as: String.self) }
  }

  func number(_ sql: SQL) throws -> Int {
    try connection.read { try sql.first($0, as: Int.self) ?? -1 }
  }

  /// Returns a line for each captured change: table, id, kind, and the mask of columns.
  func journal() throws -> [String] {
    try texts(
      """
      SELECT CASE tbl WHEN 0 THEN 'charters' ELSE 'tasks' END || '/' || id || ' ' || CASE kind
        WHEN 1 THEN 'insert' WHEN 2 THEN 'update ' || mask ELSE 'delete' END
      FROM _outbox ORDER BY seq
      """)
  }

  /// Adds charters and removes their captured changes.
  func addCharters(_ ids: String...) throws {
    for id in ids { try run("INSERT INTO charters VALUES (\(id), 'Alma')") }
    try run("DELETE FROM _outbox")
  }
}
