/// A row as a log stores it: a ``SyncedRow`` whose fields are an array, sorted by name.
///
/// Pages are created from such rows. Dictionaries of the fields would take longer to create than
/// everything else.
public struct KeptRow: Hashable, Sendable {
  /// A field, with its version if that differs from the row's stamp.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: WireValue
    package let version: Stamp?
  }

  /// The row.
  public let row: RowID
  /// The number of the row's last change.
  public let seq: Int64
  let head: RowState.Head
  /// The fields, sorted by name.
  package private(set) var fields: [Field] = []
  /// The number of fields with a version of their own.
  package private(set) var versionCount = 0

  /// Parses the state of a row.
  /// - Parameters:
  ///   - row: the row.
  ///   - seq: the number of its last change.
  ///   - state: an encoded ``RowState``.
  /// - Throws: ``WireError`` if the bytes are not an encoded state.
  public init(_ row: RowID, seq: Int64, state: [UInt8]) throws(WireError) {
    self.row = row
    self.seq = seq
    var reader = WireReader(state)
    var (fields, versionCount) = ([Field](), 0)
    head = try RowState.read(from: &reader) { count in
      fields.reserveCapacity(count)
    } field: { name, version, value in
      fields.append(Field(name: name, value: value, version: version))
      if version != nil { versionCount += 1 }
    }
    try reader.finish()
    (self.fields, self.versionCount) = (fields, versionCount)
  }

  /// Creates the row from a synced one.
  public init(_ row: SyncedRow) {
    let state = row.state
    self.row = row.row
    seq = row.seq
    head = RowState.Head(
      generation: state.generation, presence: state.presence, stamp: state.stamp)
    fields = state.fields.sorted { $0.key < $1.key }.map {
      Field(name: $0.key, value: $0.value, version: state.versions[$0.key])
    }
    versionCount = fields.count { $0.version != nil }
  }

  /// The row with its fields in a dictionary.
  public var synced: SyncedRow {
    var state = RowState(
      generation: head.generation, presence: head.presence, stamp: head.stamp)
    state.fields.reserveCapacity(fields.count)
    for field in fields {
      state.fields[field.name] = field.value
      if let version = field.version { state.versions[field.name] = version }
    }
    return SyncedRow(row, seq: seq, state: state)
  }
}
