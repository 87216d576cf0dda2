import OffshoreWire

/// The life of a row in a scope and who wrote its fields when, without the values that a table has.
///
/// It counts in what this device has sealed, so that the next edit names what its user saw.
struct RowVersion: Hashable, WireCodable {
  var generation: Int64
  var presence: RowState.Presence
  /// The version of each field that has none of its own.
  var stamp: Stamp
  var versions: [String: Stamp] = [:]
  /// The fields whose columns or table this device does not have, kept for a newer version of the app.
  var unknown: [String: WireValue] = [:]
  /// The columns of this device that whoever made the row did not know.
  var missing: Set<String> = []

  var isLiving: Bool { presence == .living }

  /// The version of a field that was there.
  func version(of field: String) -> Stamp { versions[field] ?? stamp }

  /// The tombstone that the row leaves.
  func ended(_ presence: RowState.Presence, _ stamp: Stamp) -> RowVersion {
    RowVersion(generation: generation + 1, presence: presence, stamp: stamp)
  }

  /// Takes the versions that an op gives its fields.
  mutating func note(_ op: Op) {
    for field in op.fields.keys {
      versions[field] = op.version(of: field)
      if !missing.isEmpty { missing.remove(FieldName(field).column) }
    }
  }
}

// MARK: - States

extension RowVersion {
  /// What is to be kept of a state beside the values of its columns.
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
      if state.fields[column.name] == nil { missing.insert(column.name) } else { known += 1 }
    }
    guard known < state.fields.count else { return }
    unknown = state.fields.filter { table[FieldName($0.key).column] == nil }
  }

  /// The state of the row whose columns have these values.
  func state(_ values: [String: WireValue], in table: SyncedTable) -> RowState {
    guard isLiving else {
      return RowState(generation: generation, presence: presence, stamp: stamp)
    }
    var fields = unknown
    for column in table.columns where !missing.contains(column.name) {
      guard let value = values[column.name] else { continue }
      if column.policy.isCompound {
        fields.merge(column.fields(of: value)) { $1 }
      } else {
        fields[column.name] = value
      }
    }
    // A key that was removed has a version and no value.
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
    generation = try reader.counted()
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
