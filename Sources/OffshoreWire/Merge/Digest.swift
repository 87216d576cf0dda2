/// What the living rows of a scope add up to, which client and server compare.
///
/// It is the sum, modulo 2⁶⁴, of the rows' hashes, so rows are added and removed in any order. Tombstones
/// do not count: each side forgets them when it sees fit.
public struct Digest: Hashable, Sendable {
  /// The sum.
  public private(set) var value: UInt64

  /// Takes a sum that was kept, or that of no rows.
  public init(value: UInt64 = 0) { self.value = value }

  /// Adds a row.
  public mutating func add(_ state: RowState, of row: RowID) {
    if state.isLiving { value &+= state.hash(of: row) }
  }

  /// Takes a row away, as it was when it was added.
  public mutating func remove(_ state: RowState, of row: RowID) {
    if state.isLiving { value &-= state.hash(of: row) }
  }

  /// Follows a change of a row, which is `nil` where nothing is known of it.
  public mutating func replace(_ old: RowState?, with new: RowState?, of row: RowID) {
    if let old { remove(old, of: row) }
    if let new { add(new, of: row) }
  }
}

extension RowState {
  /// The hash of all that is known of a row.
  ///
  /// It is the first eight bytes, the least significant one first, of the BLAKE2b hash of 16 bytes of
  /// the row's table and id and of what ``encode(into:)`` writes. A key that was removed and has no
  /// version of its own counts as one that never was.
  public func hash(of row: RowID) -> UInt64 {
    var writer = WireWriter(capacity: 256)
    row.encode(into: &writer)
    withoutForgottenKeys.encode(into: &writer)
    return BLAKE2b.hash64(writer.bytes)
  }

  /// The row as a device can tell it from its columns and the versions that it keeps.
  private var withoutForgottenKeys: RowState {
    let forgotten = fields.filter { field, value in
      value.isNull && versions[field] == nil && FieldName.isKey(field)
    }
    if forgotten.isEmpty { return self }
    var state = self
    for field in forgotten.keys { state.fields[field] = nil }
    return state
  }
}
