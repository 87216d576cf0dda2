/// One edit of one row.
public struct Op: Hashable, Sendable {
  /// What an op does.
  public enum Kind: Hashable, Sendable {
    /// Inserts the row. Where another device inserted it too, the fields are merged.
    case put
    /// Changes fields of the row.
    case patch
    /// Deletes the row.
    case delete
    /// Adds to counters of the row.
    case increment
    /// Takes the row to another scope, and changes fields.
    case move(to: ScopeID)
  }

  /// The row.
  public let row: RowID
  /// Which life of the row the edit is for: 1 when it was first inserted, and one more with each
  /// deletion and each insertion after one.
  public let generation: Int64
  /// What the op does.
  public let kind: Kind
  /// The values of the fields concerned, by name; of an increment, what is to be added.
  public let fields: [String: WireValue]
  /// The version of each field that the user saw. A field that nobody had written has none.
  ///
  /// A deletion has those of the whole row, so that what its user did not see can be told as lost. Of one
  /// that has none, what was written after it counts as not seen.
  public let base: [String: Stamp]
  /// When the edit was made.
  public let stamp: Stamp

  /// Describes an edit. A base of a field that the op does not have is left out, but for a deletion.
  public init(
    _ kind: Kind, _ row: RowID, generation: Int64 = 1, fields: [String: WireValue] = [:],
    base: [String: Stamp] = [:], stamp: Stamp
  ) {
    self.row = row
    self.generation = generation
    self.kind = kind
    self.stamp = stamp
    if kind == .delete {
      self.fields = fields.filter { !$0.value.isNull || base[$0.key] == nil }
      self.base = base
    } else {
      self.fields = fields
      self.base = base.isEmpty ? base : base.filter { fields[$0.key] != nil }
    }
  }

  /// The op as a server takes it, which lies neither after a time nor after what the server has given
  /// out. See ``Stamp/clamped(to:)``.
  ///
  /// What the user saw stays as it is where the row has come that far: the row's versions were clamped
  /// when they were taken, maybe by a clock that has been set back since. Only a device that saw its
  /// own edit before it was clamped tells of a version that the row never had, and that one is clamped
  /// too: the next version follows it.
  /// - Parameters:
  ///   - limit: milliseconds since 1970.
  ///   - state: the row that the op is going to be merged into.
  public func clamped(to limit: Int64, over state: RowState?) -> Op {
    let base = base.reduce(into: base) { clamped, seen in
      if let version = state?.version(of: seen.key), seen.value <= version { return }
      clamped[seen.key] = seen.value.clamped(to: limit)
    }
    return Op(
      kind, row, generation: generation, fields: fields, base: base,
      stamp: stamp.clamped(to: limit))
  }

  /// The version that the op gives a field, unless that would not be after what it replaces.
  ///
  /// It comes after the version that the user saw, though the clock may have been behind.
  package func version(of field: String) -> Stamp {
    guard let base = base[field], stamp <= base else { return stamp }
    return base.next(by: stamp.device)
  }
}
