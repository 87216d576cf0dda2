import Offshore
import OffshoreWire

/// The rows and values of a device that the server's data lacks since it was restored from a copy.
///
/// They are found before the older data is applied, because that removes them. Those that the device
/// does not send again itself are stored as refused changes; see ``LostChanges``.
///
/// Counters are never part of a change of an existing row: their increments come back only from the
/// devices that made them, so that they count once.
struct LostRows {
  private let schema: SyncSchema
  private let writer: Writer
  /// The current time of the device's clock, in milliseconds since 1970.
  private let now: Int64
  private let device: DeviceID
  /// The device whose batches the pages know.
  private let sender: DeviceID
  private let entries: RowEntries
  private let visible: VisibleRows
  private(set) var found: [StoredRefusal] = []
  /// Whether a row has changes with this device's id that another device made, which has a copy of the
  /// file.
  private(set) var isCopied = false
  /// The changes of the stored batches, as soon as they are read.
  private var kept: KeptChanges?

  init(schema: SyncSchema, writer: Writer, now: Int64, device: DeviceID, sender: DeviceID) {
    (self.schema, self.writer, self.now) = (schema, writer, now)
    (self.device, self.sender) = (device, sender)
    entries = RowEntries(writer: writer)
    visible = VisibleRows(schema: schema, writer: writer)
  }

  /// Records what a snapshot of older data lacks. Call it when all pages have arrived, before they are
  /// applied.
  /// - Parameter page: the last page; the others are staged.
  mutating func find(in scope: ScopeID, _ page: ScopePage) throws {
    // Of a row that arrived several times, the last state counts.
    var lost: [RowID: Op?] = [:]
    for staged in try StagedPage.of(scope).order({ $0.key }).all(writer) {
      try compare(try staged.rows, in: scope, &lost)
    }
    try compare(page.rows, in: scope, &lost)
    for row in try entries.rows(of: scope) where lost[row] == nil {
      lost[row] = .some(try loss(of: row, nil, in: scope))
    }
    for (row, op) in lost {
      guard let op, device == sender, op.isOwn(of: device), let table = schema.present[row.table]
      else { continue }
      let changes = try kept ?? SentBatches(writer: writer).changes(of: device)
      kept = changes
      switch changes.origin(of: op, table, in: scope, after: page.lastBatch) {
      case .stored: lost[row] = .some(nil)
      case .own: break
      case .copied: isCopied = true
      }
    }
    add(lost.compactMapValues { $0 }, in: scope)
  }

  /// Records all rows of a scope that the older data does not grant, and the changes of its batches
  /// whose effects were not pulled.
  mutating func findAll(in scope: ScopeID) throws {
    var lost: [RowID: Op] = [:]
    for row in try entries.rows(of: scope) { lost[row] = try loss(of: row, nil, in: scope) }
    add(lost, in: scope)
    let batches = try SealedBatch.inOrder(of: scope).all(writer)
    for op in batches.flatMap(\.batch.ops) where op.kind == .put || op.kind == .patch {
      if let lost = try op.lostByRestore(false, writer) { add([op.row: lost], in: scope) }
    }
  }

  private func compare(
    _ page: RowPage, in scope: ScopeID, _ lost: inout [RowID: Op?]
  ) throws {
    for table in page.tables {
      for arrived in table.rows {
        lost[arrived.row] = .some(try loss(of: arrived.row, arrived.state, in: scope))
      }
    }
  }

  private mutating func add(_ lost: [RowID: Op], in scope: ScopeID) {
    for (row, op) in lost.sorted(by: { $0.key < $1.key }) {
      found.append(
        StoredRefusal(
          date: now, tableName: row.table, id: row.id, scope: scope,
          code: Rejection.Code.lostByRestore.rawValue, message: LostChanges.message, op: op))
    }
  }

  /// Returns the change that brings back what a row has more than the server's state.
  /// - Returns: `nil` if it has nothing more, or if this device has deleted the row. The server may
  ///   know the deletion and have no tombstone any more.
  private func loss(of row: RowID, _ state: RowState?, in scope: ScopeID) throws -> Op? {
    guard let table = schema.present[row.table],
      let entry = try entries.all(of: row)[scope], entry.version.presence != .deleted,
      let known = try confirmed(row, entry, table), known.isLiving
    else { return nil }
    guard let state, state.generation >= known.generation else { return whole(row, known, table) }
    guard state.isLiving, state.generation == known.generation else { return nil }
    let newer = known.fields.filter { field, value in
      guard table.policy(of: field) != .counter, value != state.fields[field] ?? .null,
        let version = known.version(of: field)
      else { return false }
      return state.version(of: field).map { $0 < version } ?? true
    }
    return newer.isEmpty ? nil : change(.patch, row, newer, known)
  }

  private func confirmed(
    _ row: RowID, _ entry: RowEntry, _ table: SyncedTable
  ) throws -> RowState? {
    if let shadow = entry.shadow { return shadow.confirmed }
    return try visible.values(of: row, in: table).map { entry.version.state($0, in: table) }
  }

  /// Returns the insertion of a row.
  ///
  /// Counters begin at 0, because each device sends its own increments again, and the author of the
  /// row the value that it was inserted with. Only the author keeps that value.
  private func whole(_ row: RowID, _ known: RowState, _ table: SyncedTable) -> Op {
    var fields = known.fields.filter { table[FieldName($0.key).column] != nil }
    for column in table.columns
    where column.policy == .counter
      && (known.versions[column.name] != nil || known.stamp.device != device)
    {
      fields[column.name] = .integer(0)
    }
    return change(.put, row, fields, known)
  }

  private func change(
    _ kind: Op.Kind, _ row: RowID, _ fields: [String: WireValue], _ known: RowState
  ) -> Op {
    let base = fields.keys.reduce(into: [:]) { $0[$1] = known.version(of: $1) }
    return Op(
      kind, row, generation: known.generation, fields: fields, base: base,
      stamp: kind == .put ? known.stamp : base.values.max() ?? known.stamp)
  }
}
