import Offshore
import OffshoreWire

/// The fields that this device has changed after a refused change of them, which is made again.
struct ReplacedFields {
  let schema: SyncSchema
  let table: SyncedTable
  let visible: VisibleRows
  /// The values that an earlier refused change gave the row when the user made it again, by field. They
  /// are no later ones.
  var redone: [String: WireValue] = [:]
  /// Whether captured changes count. The rows of a restored scope are captured with their former values.
  var countsCaptured = true

  private var reader: Reader { visible.writer }

  /// Returns a refused change without the values that later ones of this device have replaced, or `nil` if
  /// none is left. The insertion of a row that is not there has all its values.
  /// - Parameter isLost: whether a restored server lacks the change, whose base has the versions of its values.
  func rest(of op: Op, isLost: Bool) throws -> Op? {
    guard op.kind != .delete, op.kind != .increment, !op.fields.isEmpty,
      try visible.exists(op.row)
    else { return op }
    let captured = countsCaptured ? try capturedFields(of: op.row) : []
    let shown = try visible.fields(of: op.row, in: table)
    let later = LaterValues(try sealedOps(of: op.row), schema.present)
    let versions = try ownVersions(of: op.row)
    let fields = op.fields.filter { field, _ in
      let version = (isLost ? op.base[field] : nil) ?? op.stamp
      return !names(of: field).contains { name in
        if later.hasValue(of: name, in: op.row, after: version, besides: redone[name]) {
          return true
        }
        let isRedone = redone[name] == (shown[name] ?? .null)
        return !isRedone
          && (captured.contains(name)
            || versions.contains { $0.isOwn(name, after: version, in: table) })
      }
    }
    guard !fields.isEmpty else { return nil }
    return Op(
      op.kind, op.row, generation: op.generation, fields: fields, base: op.base, stamp: op.stamp)
  }

  /// Records in the later refused changes of a row that an earlier one was made again.
  /// - Parameter isNew: whether the change has inserted the row.
  func note(_ op: Op, isNew: Bool) throws {
    let shown = try visible.fields(of: op.row, in: table)
    guard !shown.isEmpty else { return }
    let written = isNew ? Array(shown.keys) : op.fields.keys.flatMap { names(of: $0) }
    let values = Dictionary(
      written.map { ($0, shown[$0] ?? .null) }, uniquingKeysWith: { first, _ in first })
    try StoredRefusal.noteRedone(values, by: op, visible.writer)
  }

  /// Returns the fields that show the value of a field: the field itself, unless its column is a counter, and
  /// the columns that are derived from it.
  private func names(of field: String) -> [String] {
    let derived = table.columns.filter { $0.derivedFrom == field }.map(\.name)
    return table.policy(of: field) == .counter ? derived : [field] + derived
  }

  /// Returns the fields of a row with captured changes, which are later than all sealed ones.
  private func capturedFields(of row: RowID) throws -> Set<String> {
    let layout = try CaptureLayout(reader)
    guard let own = schema[row.table], let number = layout.number(of: row.table) else { return [] }
    let journal = Journal(reader: reader, layout: layout, schema: schema)
    let entries = try journal.entries(where: "tbl = \(number) AND id = \(row.id)").values.first
    let current = try journal.rows(own, in: "SELECT \(row.id)")[WireValue(row.id)]
    guard let entries, let current else { return [] }
    let change = CapturedRow(entries, before: [], current: current)
    let isNew = !change.wasThere || change.wasDeleted
    return table.columns.reduce(into: []) { fields, column in
      guard let new = current[column.name] else { return }
      if isNew || change.restated.contains(column.name) {
        fields.formUnion(column.fields(of: new).keys)
      } else if let old = change.old[column.name] {
        fields.formUnion(column.changes(from: old, to: new).keys)
      }
    }
  }

  /// Returns the ops of a row in sealed batches, also in sent ones.
  private func sealedOps(of row: RowID) throws -> [Op] {
    // NB: Messages have texts as they are, so only batches with the id are decoded.
    let sent = try SQL("SELECT k FROM _sent WHERE instr(content, CAST(\(row.id) AS BLOB)) > 0")
      .all(reader, as: Int64.self)
    let batches =
      try SealedBatch.all.all(reader).map(\.batch)
      + (sent.isEmpty ? [] : SentBatch.where { $0.key.in(sent) }.all(reader).map(\.batch))
    return batches.flatMap(\.ops).filter { $0.row == row }
  }

  /// A version of a row that this device may have written.
  private struct OwnVersion {
    let version: RowVersion
    let device: DeviceID

    /// Returns whether the device wrote a field after a stamp. The version of a field in the order of arrival
    /// may be later than its edit.
    func isOwn(_ field: String, after stamp: Stamp, in table: SyncedTable) -> Bool {
      let last = version.version(of: field)
      return last.device == device && last > stamp && table.policy(of: field) != .serverOrder
    }
  }

  /// Returns the versions of a living row, which include batches that are not stored any more.
  private func ownVersions(of row: RowID) throws -> [OwnVersion] {
    let device = try ReplicaState(reader).device
    return try VersionRow.of(row).select { $0.version }.all(reader).filter(\.isLiving)
      .map { OwnVersion(version: $0, device: device) }
  }
}
