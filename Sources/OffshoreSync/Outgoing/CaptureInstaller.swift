import Offshore
import OffshoreWire

/// The installation of the device's tables and triggers in a file, or their update to a schema,
/// inside one write.
struct CaptureInstaller {
  let schema: SyncSchema
  let writer: Writer

  func run(device: () -> DeviceID) throws {
    try requireRecursiveTriggers()
    for table in schema.tables { try requireTable(table) }
    try ReferenceCheck(schema: schema, reader: writer).run()
    let version = try DeviceTables.version(writer)
    if let version, version > DeviceTables.version {
      throw ReplicaError(
        .newerLayout, "The file was prepared by a newer version. Update the app to sync it.")
    }
    if version == nil { try createTables(device()) }
    try DeviceTables.complete(writer)
    let lacksAcceptance = try FileEntry.createIfAbsent(writer)
    try resumeCapture()
    let (former, prepared) = (try PreparedSchema(writer), PreparedSchema(schema))
    let layout = try CaptureLayout(writer)
    try adaptLayout(isNew: version == nil)
    if lacksAcceptance { try FileAcceptance.recordSettled(schema, writer) }
    guard former != prepared else { return }
    try SchemaChange(schema: schema, former: former, layout: layout, writer: writer).run()
    try prepared.save(writer)
  }

  private func createTables(_ device: DeviceID) throws {
    try DeviceTables.create(writer)
    try StateRow(of: device).insert(writer)
  }

  /// Switches capture on in a file that an earlier version of the library left with capture off,
  /// after an error that the app caught inside a write.
  private func resumeCapture() throws {
    try StateRow.where { $0.isApplying }.update(writer) { [$0.isApplying.set(false)] }
  }

  private func adaptLayout(isNew: Bool) throws {
    let before = try CaptureLayout(writer)
    let layout = try before.adapted(to: schema) { number in
      try JournalRow.of(table: number).exists(writer)
    }
    try widenOutbox(to: layout.width)
    if layout != before {
      try JournalUpgrade(schema: schema, writer: writer).run(from: before, to: layout)
      try layout.save(writer)
    }
    try makeTriggers(layout, isNew: isNew)
    for table in schema.tables where before.number(of: table.sentName) == nil {
      try captureRows(of: table, layout)
    }
  }

  private func widenOutbox(to width: Int) throws {
    let name = JournalRow.table.name
    let count = try SQL("SELECT count(*) FROM pragma_table_info(\(name))").first(
      writer, as: Int.self)
    let first = max((count ?? 0) - JournalRow.table.columns.count, 0)
    for place in first..<max(width, first) {
      try SQL(raw: "ALTER TABLE \(name) ADD COLUMN \(JournalRow.column(of: place))").run(writer)
    }
  }

  /// Captures the rows of a newly synced table as inserted, because other devices do not have them.
  private func captureRows(of table: SyncTable, _ layout: CaptureLayout) throws {
    guard let number = layout.number(of: table.sentName) else { return }
    let rows: SQL = table.adoptedRows.map { "(\($0))" } ?? "\(identifier: table.name)"
    try SQL(
      """
      INSERT INTO _outbox (batch, tbl, id, kind, mask)
      SELECT (SELECT batch FROM _state WHERE k = 1), \(number), \(identifier: table.idColumn),
        \(CaptureTriggers.Kind.insert.rawValue), 0 FROM \(rows)
      """
    ).run(writer)
  }

  // MARK: - Triggers

  /// Creates the triggers, and the indexes of files, that are missing or differ, and removes all others of the
  /// library.
  /// - Parameter isNew: whether the file is prepared for the first time, so that all rows are its own.
  private func makeTriggers(_ layout: CaptureLayout, isNew: Bool) throws {
    var wanted: [String: String] = [:]
    for table in schema.tables {
      guard let number = layout.number(of: table.sentName) else { continue }
      wanted.merge(
        CaptureTriggers(table: table, number: number, places: layout.tables[number].columns)
          .statements, uniquingKeysWith: { first, _ in first })
    }
    let files = schema.tables.reduce(into: [:]) { files, table in
      files.merge(FileTriggers(table: table).statements) { first, _ in first }
    }
    wanted.merge(files) { first, _ in first }
    let found = try SQL(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE type IN ('trigger', 'index') AND substr(name, 1, 9) = \(CaptureTriggers.prefix)
      """
    ).all(writer, as: String.self, String.self, String.self)
    var dropped: [String] = []
    for (type, name, sql) in found {
      if wanted[name] == sql {
        wanted[name] = nil
      } else {
        try SQL("DROP \(SQL(raw: type)) \(identifier: name)").run(writer)
        dropped.append(name)
      }
    }
    for (_, sql) in wanted.sorted(by: { $0.key < $1.key }) { try SQL(raw: sql).run(writer) }
    // NB: Migrations drop all of the triggers, so that none may be left to be dropped here.
    let hasOldCounts = try files.isEmpty && FileEntry.where { $0.references > 0 }.exists(writer)
    if hasOldCounts || (dropped + wanted.keys).contains(where: FileTriggers.isName) {
      try FileTriggers.count(schema.tables, areOwn: isNew, writer)
    }
  }

  // MARK: - Checks

  /// Requires recursive triggers. Without them, REPLACE deletes a row without its delete trigger
  /// (<https://sqlite.org/lang_conflict.html>).
  /// - Throws: ``ReplicaError`` with the code `notInstalled` if the connection has them off.
  private func requireRecursiveTriggers() throws {
    guard try SQL("PRAGMA recursive_triggers").first(writer, as: Int.self) != 1 else { return }
    throw ReplicaError(
      .notInstalled, "The connection has recursive_triggers off. Leave that pragma as it is.")
  }

  /// Requires the columns of a synced table.
  /// - Throws: ``ReplicaError`` with the code `missingTable` if the file lacks one.
  private func requireTable(_ table: SyncTable) throws {
    let found = Set(
      try SQL("SELECT name FROM pragma_table_info(\(table.name))").all(writer, as: String.self))
    let missing = table.definitions.map(\.name).filter { !found.contains($0) }
    guard !missing.isEmpty else { return }
    throw ReplicaError(
      .missingTable,
      "The file has no “\(table.name).\(missing[0])”. Migrate it before it is prepared for syncing."
    )
  }
}
