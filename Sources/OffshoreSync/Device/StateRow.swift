import Offshore
import OffshoreWire

/// The only row of `_state`.
///
/// Its columns are read and written a few at a time: an observation is notified only of changes of
/// the columns that it reads.
struct StateRow {
  private(set) var key: Int64 = 1
  private(set) var version = DeviceTables.version
  /// Whether pulled changes are being applied, which are not captured. It is `false` outside a write.
  private(set) var isApplying = false
  /// The number of the current transaction.
  private(set) var transaction: Int64 = 1
  let device: DeviceID
  /// The latest stamp of the device's clock.
  let latest: Stamp
  /// The milliseconds by which the server's clock is ahead, or `nil` before the first answer.
  private(set) var ahead: Int64?
  private(set) var epoch: UInt64 = 0
  private(set) var grants: Int64 = 0
  /// The places of columns in `_outbox`.
  private(set) var layout = CaptureLayout()
  /// The schema that the file was prepared for.
  private(set) var schema = PreparedSchema()
}

extension StateRow: Record {
  static let table = Table(
    "_state", StateRow.init,
    Column("k", \.key).primaryKey().check("k = 1"),
    Column("version", \.version),
    Column("applying", \.isApplying).default(false),
    Column("batch", \.transaction).default(1),
    Column("device", \.device, as: .message),
    Column("clock", \.latest, as: .message),
    Column("ahead", \.ahead),
    Column("epoch", \.epoch, as: .bits).default(0),
    Column("grants", \.grants).default(0),
    Column("layout", \.layout, as: .json),
    Column("schema", \.schema, as: .json)
  ).ofLibrary()

  /// Creates the row of a device that has not made any edit yet.
  init(of device: DeviceID) {
    self.device = device
    latest = HybridClock(device: device).latest
  }

  /// Returns the result of a query of the row.
  /// - Throws: ``ReplicaError``: `notInstalled` if the row is missing, `damaged` if it cannot be
  ///   parsed. `DatabaseError`.
  static func required<Value>(_ read: () throws -> Value?) throws -> Value {
    do {
      if let value = try read() { return value }
    } catch let error as DatabaseError where error.code == .invalidValue {
      throw ReplicaError(
        .damaged, "“\(table.name)” is not readable. Restore the file from a backup.")
    } catch let error as DatabaseError where error.code == .invalidSQL {
      // The table is missing.
    }
    throw notPrepared
  }

  static let notPrepared = ReplicaError(
    .notInstalled, "The file has not been prepared for syncing. Prepare it.")
}

extension Writer {
  /// Runs a closure without capturing its changes of rows.
  ///
  /// Capture is on again after an error, too: the app may catch the error inside its own write and
  /// commit.
  /// - Throws: any error of the closure.
  func applying<Result>(_ body: () throws -> Result) throws -> Result {
    // NB: SQL, because it runs for each answer.
    try SQL("UPDATE _state SET applying = TRUE").run(self)
    do {
      let result = try body()
      try resumeCapture()
      return result
    } catch {
      // NB: If the database has failed, it has rolled back the whole write, and `applying` with it.
      try? resumeCapture()
      throw error
    }
  }

  private func resumeCapture() throws { try SQL("UPDATE _state SET applying = FALSE").run(self) }
}

extension CaptureLayout: JSONColumnValue {
  static var samples: (CaptureLayout, CaptureLayout) {
    (
      CaptureLayout(), CaptureLayout(tables: [Entry(name: "", columns: [])])
    )
  }

  /// Reads the layout of the journal.
  /// - Throws: ``ReplicaError``: `notInstalled` if the file has not been prepared, `damaged` if the
  ///   layout cannot be parsed. `DatabaseError`.
  init(_ reader: Reader) throws {
    self = try StateRow.required { try StateRow.all.select { $0.layout }.first(reader) }
  }

  func save(_ writer: Writer) throws {
    try StateRow.all.update(writer) { [$0.layout.set(self)] }
  }
}

extension PreparedSchema: JSONColumnValue {
  static var samples: (PreparedSchema, PreparedSchema) {
    (PreparedSchema(), PreparedSchema(version: 1))
  }

  /// Reads the schema that the file was prepared for.
  /// - Throws: ``ReplicaError``: `notInstalled` if the file has not been prepared, `damaged` if the
  ///   schema cannot be parsed. `DatabaseError`.
  init(_ reader: Reader) throws {
    self = try StateRow.required { try StateRow.all.select { $0.schema }.first(reader) }
  }

  func save(_ writer: Writer) throws {
    try StateRow.all.update(writer) { [$0.schema.set(self)] }
  }
}
