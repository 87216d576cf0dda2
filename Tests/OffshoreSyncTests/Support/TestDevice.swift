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
  /// - Parameter ids: the number after which its ids begin.
  private init(_ folder: TemporaryFolder, _ outbox: Outbox, ids: Int) throws {
    self.folder = folder
    self.outbox = outbox
    self.ids = ids
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
    return try TestDevice(other, outbox, ids: ids + 1_000_000)
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

extension TestDevice {
  /// The default time of a test's clock.
  static let now: Int64 = 1_000_000

  /// Seals once.
  func seal(at now: Int64 = now, ops: Int? = nil, bytes: Int? = nil) throws -> [Batch] {
    var limits = SealingLimits()
    if let ops { limits.ops = ops }
    if let bytes { limits.bytes = bytes }
    return try connection.write { writer in
      try outbox.seal(writer, at: now, limits: limits, makeID: nextID)
    }
  }

  /// Seals until no captured change is left.
  func sealAll() throws -> [Batch] {
    var batches: [Batch] = []
    while try number("SELECT count(*) FROM _outbox") > 0 { batches += try seal() }
    return batches
  }

  func cancel(_ table: String, _ id: String) throws -> Bool {
    try connection.write { try outbox.cancel(RowID(table: table, id: id), $0) }
  }

  func cancelTransaction(_ number: Int64) throws -> Bool {
    try connection.write { try outbox.cancelTransaction(number, $0) }
  }

  /// Returns the numbers of the captured transactions.
  func transactions() throws -> [Int64] { try connection.read { try outbox.transactions($0) } }

  /// Returns all rows of the tasks as SQL literals.
  func tasks() throws -> [String] {
    try texts(
      """
      SELECT quote(id) || quote(charterID) || quote(title) || quote(note) || quote(hours)
        || quote(votes) || quote(items) || quote(isOpen) FROM tasks ORDER BY id
      """)
  }
}

extension [Batch] {
  /// A line for each op: kind, row, generation, and the names of the fields.
  var lines: [String] {
    flatMap(\.ops).map { op in
      let kind =
        if case .move(let scope) = op.kind { "move to \(scope.value)" } else { "\(op.kind)" }
      let fields = op.fields.keys.sorted().map { " \($0)" }.joined()
      return "\(kind) \(op.row.id)@\(op.generation)\(fields)"
    }
  }

  /// The only op, or `nil` if there are none or several.
  var op: Op? { count == 1 && self[0].ops.count == 1 ? self[0].ops[0] : nil }
}
