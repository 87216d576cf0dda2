/// A row as a log keeps it: a ``SyncedRow`` whose fields stand one after the other.
///
/// Pages are made from this. To put the fields of each row into a dictionary takes longer than all the rest.
public struct KeptRow: Hashable, Sendable {
  /// A field, with its version where that is not the row's.
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
  /// The fields in the order of their names.
  package private(set) var fields: [Field] = []
  /// How many of them have a version of their own.
  package private(set) var versionCount = 0

  /// Reads the state of a row.
  /// - Parameter state: a ``RowState`` as it is encoded.
  /// - Throws: ``WireError`` where it is none.
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

  /// Takes a row.
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

  /// The row with its fields by name.
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
