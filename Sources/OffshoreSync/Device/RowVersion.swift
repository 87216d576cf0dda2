import OffshoreWire

/// The life of a row in a scope and who wrote its fields when, without their values.
///
/// It counts in what this device has sealed, so that the next edit names what its user saw.
struct RowVersion: Hashable, WireCodable {
  var generation: Int64
  var presence: RowState.Presence
  /// The version of each field that has none of its own.
  var stamp: Stamp
  var versions: [String: Stamp] = [:]

  var isLiving: Bool { presence == .living }

  /// The version of a field that was there.
  func version(of field: String) -> Stamp { versions[field] ?? stamp }

  /// The tombstone that the row leaves.
  func ended(_ presence: RowState.Presence, _ stamp: Stamp) -> RowVersion {
    RowVersion(generation: generation + 1, presence: presence, stamp: stamp)
  }

  /// Takes the versions that an op gives its fields.
  mutating func note(_ op: Op) {
    for field in op.fields.keys { versions[field] = op.version(of: field) }
  }

  // MARK: - Bytes

  static var leastByteCount: Int { 27 }

  func encode(into writer: inout WireWriter) {
    writer.signed(generation)
    writer.byte(presence.rawValue)
    writer.value(stamp)
    writer.count(versions.count)
    for (field, version) in versions.sorted(by: { $0.key < $1.key }) {
      writer.text(field)
      writer.value(version)
    }
  }
}

extension RowVersion {
  init(from reader: inout WireReader) throws(WireError) {
    generation = try reader.signed()
    guard let presence = RowState.Presence(rawValue: try reader.byte()) else {
      throw reader.malformed("A row is neither there, deleted, nor moved.")
    }
    self.presence = presence
    stamp = try reader.value()
    for _ in 0..<(try reader.count(ofAtLeast: Stamp.leastByteCount)) {
      let field = try reader.text()
      versions[field] = try reader.value()
    }
  }
}

/// Values by column, as a BLOB keeps them.
struct ColumnValues: Hashable, WireCodable {
  var values: [String: WireValue]

  static var leastByteCount: Int { 1 }

  func encode(into writer: inout WireWriter) {
    writer.count(values.count)
    for (column, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.text(column)
      writer.value(value)
    }
  }
}

extension ColumnValues {
  init(from reader: inout WireReader) throws(WireError) {
    values = [:]
    for _ in 0..<(try reader.count()) {
      let column = try reader.text()
      values[column] = try reader.value()
    }
  }
}
