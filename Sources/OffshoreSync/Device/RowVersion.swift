import OffshoreWire

/// The generation of a row in a scope and the versions of its fields, without the values that its
/// table has.
///
/// It includes this device's sealed changes, so that the next edit names the versions that its user
/// saw.
struct RowVersion: Hashable, WireCodable {
  var generation: Int64
  var presence: RowState.Presence
  /// The version of each field without a version of its own.
  var stamp: Stamp
  var versions: [String: Stamp] = [:]
  /// The fields that the app's table does not have: those whose column or table this version of the app
  /// does not know, and those of a value that the column cannot store or that a later one of a former
  /// column replaces. They are stored for other versions of the app.
  var unknown: [String: WireValue] = [:]
  /// The columns that the row's author did not know.
  var missing: Set<String> = []

  var isLiving: Bool { presence == .living }

  /// Returns whether a column of the app's table has another value than the row.
  func isElsewhere(_ column: SyncedColumn) -> Bool {
    missing.contains(column.name) || unknown[column.name] != nil
  }

  /// Returns whether the value in the former column from which a column is derived was written later than
  /// that of the column.
  func isSuperseded(_ column: SyncedColumn) -> Bool {
    guard let former = column.derivedFrom, unknown[former] != nil else { return false }
    return version(of: column.name) < version(of: former)
  }

  /// Returns the version of a field that the row has.
  func version(of field: String) -> Stamp { versions[field] ?? stamp }

  /// Returns the tombstone of the row, with the next generation.
  func ended(_ presence: RowState.Presence, _ stamp: Stamp) -> RowVersion {
    RowVersion(generation: generation + 1, presence: presence, stamp: stamp)
  }

  /// Records the versions that an op of this device gives its fields, and the values of former columns.
  mutating func apply(_ op: Op, in table: SyncedTable) {
    for (field, value) in op.fields {
      versions[field] = op.version(of: field)
      let column = FieldName(field).column
      if !missing.isEmpty { missing.remove(column) }
      unknown[field] = table[column] == nil ? value : nil
    }
  }
}

// MARK: - States

extension RowVersion {
  /// Creates the version of a state, with the fields that are not in the app's tables.
  /// - Parameter table: the row's table, or `nil` if this version of the app does not know it.
  init(_ state: RowState, in table: SyncedTable?) {
    self.init(
      generation: state.generation, presence: state.presence, stamp: state.stamp,
      versions: state.versions)
    guard state.isLiving else { return }
    guard let table else {
      unknown = state.fields
      return
    }
    var known = 0
    for column in table.columns {
      guard let value = state.fields[column.name] else {
        missing.insert(column.name)
        continue
      }
      known += 1
      if !column.holds(value) || column.isSuperseded(in: state) { unknown[column.name] = value }
    }
    guard known < state.fields.count else { return }
    for (field, value) in state.fields where table[FieldName(field).column] == nil {
      unknown[field] = value
    }
  }

  /// The state of a row of a table that this version of the app does not know.
  var unknownState: RowState {
    RowState(
      generation: generation, presence: presence, stamp: stamp, fields: unknown,
      versions: versions)
  }

  /// Returns the state of the row: this version with the values of the row's columns.
  func state(_ values: [String: WireValue], in table: SyncedTable) -> RowState {
    guard isLiving else {
      return RowState(generation: generation, presence: presence, stamp: stamp)
    }
    var fields = unknown
    for column in table.columns where !isElsewhere(column) {
      guard let value = values[column.name] else { continue }
      if column.policy.isCompound {
        fields.merge(column.fields(of: value)) { $1 }
      } else {
        fields[column.name] = value
      }
    }
    // A removed key of a JSON object has a version and no value.
    for field in versions.keys where fields[field] == nil { fields[field] = .null }
    return RowState(
      generation: generation, presence: presence, stamp: stamp, fields: fields, versions: versions)
  }
}

// MARK: - Bytes

extension RowVersion {
  static var leastByteCount: Int { 29 }

  func encode(into writer: inout WireWriter) {
    writer.signed(generation)
    writer.byte(presence.rawValue)
    writer.value(stamp)
    writer.count(versions.count)
    for (field, version) in versions.sorted(by: { $0.key < $1.key }) {
      writer.text(field)
      writer.value(version)
    }
    writer.count(unknown.count)
    for (field, value) in unknown.sorted(by: { $0.key < $1.key }) {
      writer.text(field)
      writer.value(value)
    }
    writer.count(missing.count)
    for column in missing.sorted() { writer.text(column) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    generation = try reader.ordinal()
    guard let presence = RowState.Presence(rawValue: try reader.byte()) else {
      throw reader.malformed("A row is neither there, deleted, nor moved.")
    }
    self.presence = presence
    stamp = try reader.value()
    for _ in 0..<(try reader.count(ofAtLeast: Stamp.leastByteCount)) {
      let field = try reader.text()
      versions[field] = try reader.value()
    }
    for _ in 0..<(try reader.count()) {
      let field = try reader.text()
      unknown[field] = try reader.value()
    }
    for _ in 0..<(try reader.count()) { missing.insert(try reader.text()) }
  }
}
