/// A checksum of the living rows of a scope, which client and server compare.
///
/// It is the sum of the rows' hashes modulo 2⁶⁴, so rows can be added and removed in any order.
/// Tombstones do not count, because each side collects them at its own time.
public struct Digest: Hashable, Sendable {
  /// The sum.
  public private(set) var value: UInt64

  /// Creates a digest from a stored sum, or the digest of no rows.
  public init(value: UInt64 = 0) { self.value = value }

  /// Adds a row.
  public mutating func add(_ state: RowState, of row: RowID) {
    if state.isLiving { value &+= state.hash(of: row) }
  }

  /// Removes a row, which has to be in the state in which it was added.
  package mutating func remove(_ state: RowState, of row: RowID) {
    if state.isLiving { value &-= state.hash(of: row) }
  }

  /// Replaces the old state of a row by the new one. `nil` stands for an unknown row.
  package mutating func replace(_ old: RowState?, with new: RowState?, of row: RowID) {
    if let old { remove(old, of: row) }
    if let new { add(new, of: row) }
  }
}

extension RowState {
  /// Returns the hash of the row's id and state.
  ///
  /// It is the first eight bytes, as a little-endian number, of the 16-byte BLAKE2b hash of the
  /// encodings of the row's id and state. A removed key without a version of its own is left out.
  package func hash(of row: RowID) -> UInt64 {
    var writer = WireWriter(capacity: 256)
    row.encode(into: &writer)
    withoutUnversionedRemovals.encode(into: &writer)
    return BLAKE2b.hash64(writer.bytes)
  }

  /// The state without removed keys that have no version of their own, which devices do not store.
  private var withoutUnversionedRemovals: RowState {
    let removed = fields.filter { field, value in
      value.isNull && versions[field] == nil && FieldName.isKey(field)
    }
    if removed.isEmpty { return self }
    var state = self
    for field in removed.keys { state.fields[field] = nil }
    return state
  }
}
