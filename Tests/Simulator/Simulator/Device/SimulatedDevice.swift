import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire

/// A device: the product with a real file, and the simulator's record of its user.
final class SimulatedDevice {
  /// The device's place among the schedule's devices.
  let place: Int
  private(set) var account: AccountID
  /// Whether the device refuses writes that its account may not make. Otherwise its app has been
  /// tampered with.
  let isHonest: Bool
  /// Whether an honest device does so, which a breach prevents.
  private let checksWrites: Bool
  private(set) var version: AppVersion
  /// The number of the version that made the file.
  private var firstVersion: Int
  /// The migration that created the content after an erasure.
  private var base: Migration?
  private(set) var connection: Connection
  let file: String
  /// The accounts of other users.
  var others: [AccountID] = []
  /// The difference of the device's clock from the true time, in milliseconds.
  var skew: Int64
  /// The number of starts.
  private(set) var starts = 1
  var ledger = Ledger()
  /// The texts that the user has cancelled or discarded.
  var cancelled: Set<[UInt8]> = []
  /// The files to which rows refer.
  var folder = DeviceFolder()
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
    isHonest: Bool = true, checksWrites: Bool = true, newID: DeviceID? = nil
  ) throws {
    self.place = place
    self.account = account
    (self.isHonest, self.checksWrites) = (isHonest, checksWrites)
    self.version = version
    firstVersion = version.number
    self.file = file
    self.skew = skew
    connection = try DeviceFiles.open(file)
    try install()
    if let newID { try connection.write { try DeviceFiles.rename($0, to: newID) } }
  }

  deinit { connection.close() }

  var name: String { "d\(place)" }

  /// The number of rows from which the rows of a new scope are shown as they arrive, if it is not that of
  /// the product.
  var largeScopeRows: Int?

  var replica: Replica {
    var replica = version.replica
    if let largeScopeRows { replica.largeScopeRows = largeScopeRows }
    return replica
  }

  /// The scopes of the account's own rows.
  var personalScopes: [ScopeID] {
    get throws { try Self.personalScopes(of: account) }
  }

  static func personalScopes(of account: AccountID) throws -> [ScopeID] {
    try ["person", "desk"].map { try ScopeID(kind: $0, value: account.description) }
  }

  func clock(at now: Int64) -> Int64 { now + skew }

  /// Returns a text that was never written before.
  func text(padding: Int = 0) -> String {
    written += 1
    return Text.make(place, written, padding: padding)
  }

  // MARK: - Starting

  private func install() throws {
    let nobody = DeviceID(UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    let checked = isHonest && checksWrites ? account.uuid : nil
    try connection.write { try replica.outbox.install($0, device: nobody, account: checked) }
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
    let migrations = (firstVersion + 1...version.number).map { number in
      Migration("v\(number)") { writer in
        for sql in AppVersion.migration(to: number) { try sql.run(writer) }
      }
    }
    try connection.migrate(Migrations([base].compactMap(\.self) + migrations))
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
    let twin = try SimulatedDevice(
      place, account, version, file: copy, skew: skew, isHonest: isHonest,
      checksWrites: checksWrites)
    twin.ledger = ledger
    twin.folder = folder
    twin.largeScopeRows = largeScopeRows
    (twin.firstVersion, twin.base) = (firstVersion, base)
    twin.others = others
    return twin
  }

  // MARK: - Erasing

  /// The step of an erasure after which the process ends. It is completed at the next start.
  enum Stop: CaseIterable { case never, requested, replaced }

  /// Erases the file, which an account continues after ``signIn(as:)``.
  func erase(for account: AccountID, stop: Stop, _ breach: Breach?) throws {
    let erasure = Erasure(
      schema: version.store, configuration: DeviceFiles.configuration,
      environment: SyncedStore.Environment())
    try connection.write { try Erasure.request($0) }
    if stop != .requested { try erasure.replaceContent(of: connection) }
    if stop != .never {
      connection.close()
      connection = try DeviceFiles.open(file)
    }
    if breach != .halfErased { try erasure.resume(on: connection) }
    self.account = account
    (ledger, folder, lastReport, tokens) = (Ledger(), DeviceFolder(), nil, [])
    (cursors, sentOps, sealed, cancelled) = ([:], [:], [:], [])
    (base, firstVersion) = (version.base, version.number)
    starts += 1
  }

  /// Prepares an erased file for the account.
  func signIn(as device: DeviceID) throws {
    try install()
    try connection.write { try DeviceFiles.rename($0, to: device) }
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

  /// Returns the rows that the app shows, with their synced columns.
  func rows() throws -> [RowID: [String: WireValue]] {
    var rows: [RowID: [String: WireValue]] = [:]
    try connection.read { reader in
      for table in version.tables {
        let list = table.columns.reduce("" as SQL) { "\($0), \(identifier: $1.presentName)" }
        let sql: SQL = "SELECT id\(list) FROM \(identifier: table.localName)"
        let found = try reader.connection.fetch(sql) { row in
          let id = try row.value(String.self)
          var values: [String: WireValue] = [:]
          for column in table.columns { values[column.name] = try row.value(CellValue.self).value }
          return (id, values)
        }
        for (id, values) in found { rows[RowID(table: table.name, id: id)] = values }
      }
    }
    return rows
  }

  /// Returns the value of a row's column, or `nil` if the row or the column does not exist.
  /// - Parameter column: the name in messages.
  func value(_ column: String, of row: RowID, _ reader: Reader) throws -> WireValue? {
    let table = version.table(row.table)
    guard let table, let column = table.columns.first(where: { $0.name == column }) else {
      return nil
    }
    return try SQL(
      """
      SELECT \(identifier: column.presentName) FROM \(identifier: table.localName)
      WHERE id = \(row.id)
      """
    ).first(reader, as: CellValue.self)?.value
  }

  /// Returns the rows that are hidden because of a constraint or because another scope has the row.
  func hiddenRows() throws -> Set<RowID> {
    let rows = try connection.read {
      try SQL("SELECT tbl, id FROM _shadow WHERE reason IS NOT NULL")
        .all($0, as: String.self, String.self)
    }
    return Set(rows.map { RowID(table: $0, id: $1) })
  }

  /// Returns the rows with refused changes.
  func deadRows() throws -> Set<RowID> {
    let rows = try connection.read {
      try SQL("SELECT tbl, id FROM _dead").all($0, as: String.self, String.self)
    }
    return Set(rows.map { RowID(table: $0, id: $1) })
  }

  /// Returns the refused insertions of letters, which stay in their place.
  func keptLetters() throws -> [DeadLetter] {
    try connection.read { try replica.deadLetters($0) }.filter {
      $0.row.table == Letter.name && $0.op?.kind == .put
        && $0.rejection.code.rawValue != "lostByRestore"
    }
  }

  /// Returns the counters that the device shows.
  func counters() throws -> [Ledger.Counter: Int64] {
    try shownCounters().mapValues(\.count)
  }

  /// Returns the counters that the device shows, with the scopes of their rows.
  func shownCounters() throws -> [Ledger.Counter: (scope: String, count: Int64)] {
    try connection.read { reader in
      var counters: [Ledger.Counter: (scope: String, count: Int64)] = [:]
      for (table, column, scope) in [
        ("boards", "views", "'board/' || id"), ("cards", "votes", "'board/' || boardID"),
        ("memos", "count", "'person/' || ownerID"),
      ] {
        let rows = try SQL(
          "SELECT id, \(SQL(raw: scope)), \(identifier: column) FROM \(identifier: table)"
        ).all(reader, as: String.self, String.self, Int64.self)
        for (id, scope, count) in rows {
          let counter = Ledger.Counter(row: RowID(table: table, id: id), column: column)
          counters[counter] = (scope, count)
        }
      }
      return counters
    }
  }

  // MARK: - Records of the user's work

  /// Records the work of the device's user.
  func note(_ work: LocalWork) throws {
    ledger.noteGone(work.gone)
    ledger.noteCleared(work.cleared)
    for write in work.writes { ledger.note(write) }
    for (counter, count) in work.counts { ledger.add(count, to: counter) }
    ledger.stopCounting(work.ended)
    ledger.noteDeleted(work.deleted)
    try noteUndone()
  }

  /// Removes cancelled and overwritten writes: those that are not shown, unless their rows are hidden.
  func noteUndone() throws {
    let sent = Set(ledger.sent.map(\.text))
    let hidden = try hiddenRows()
    try connection.read { reader in
      let sealed = hidden.isEmpty ? [:] : try pendingTexts(reader)
      try ledger.forgetOwed { write in
        let isHidden = hidden.contains(write.row) && sealed[write.text] != nil
        return try !isHidden && value(write.column, of: write.row, reader) != .text(write.text)
      }
      try ledger.forgetOwn { write in
        try !sent.contains(write.text)
          && value(write.column, of: write.row, reader) != .text(write.text)
      }
    }
  }

  /// Removes expectations that a restored server need not meet.
  func forgetConfirmed(_ history: ServerHistory) {
    ledger.forgetOwn { history.appliedTexts[$0.text] != nil }
    tokens = []
  }
}
