/// One edit of one row.
public struct Op: Hashable, Sendable {
  /// The kind of an edit.
  public enum Kind: Hashable, Sendable {
    /// Inserts the row. If another device inserted it too, the fields are merged.
    case put
    /// Changes fields of the row.
    case patch
    /// Deletes the row.
    case delete
    /// Adds to counters of the row.
    case increment
    /// Moves the row to another scope, and changes fields.
    case move(to: ScopeID)

    /// Whether the op moves the row to another scope.
    package var isMove: Bool { if case .move = self { true } else { false } }
  }

  /// The row.
  public let row: RowID
  /// The generation of the row that the edit is for.
  ///
  /// It is 1 after the first insertion, and one more after each deletion and each later insertion.
  public let generation: Int64
  /// The kind of the edit.
  public let kind: Kind
  /// The values of the affected fields, by name. For an increment, the amounts to add.
  public let fields: [String: WireValue]
  /// The version of each field that the user saw. A field that did not exist has no version.
  ///
  /// A deletion has the versions of the whole row, so that values its user did not see become
  /// conflicts. If it has none, values with a later stamp than its own count as not seen.
  public let base: [String: Stamp]
  /// The stamp of the edit.
  public let stamp: Stamp

  /// Creates an op.
  ///
  /// Base versions of fields that the op does not write are left out, except in a deletion. A
  /// deletion writes no fields. Its encoding has NULL for each field with a base version; such
  /// fields are left out here.
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

  /// Returns the op as a server accepts it, with stamps that do not lie in the future.
  ///
  /// A base version stays as it is if the row's version is equal or later. The row's versions were
  /// clamped when they were accepted, possibly by a server clock that was set back since. A base
  /// version after the row's is the device's own edit as it was before the server clamped it. It is
  /// clamped too, because the op's version follows it. See ``Stamp/clamped(to:)``.
  /// - Parameters:
  ///   - limit: the latest time, in milliseconds since 1970.
  ///   - state: the state of the row that the op will be merged into, or `nil` if it is unknown.
  package func clamped(to limit: Int64, over state: RowState?) -> Op {
    let base = base.reduce(into: base) { clamped, seen in
      if let version = state?.version(of: seen.key), seen.value <= version { return }
      clamped[seen.key] = seen.value.clamped(to: limit)
    }
    return Op(
      kind, row, generation: generation, fields: fields, base: base,
      stamp: stamp.clamped(to: limit))
  }

  /// Returns the version that the op gives a field, before the merge compares it with the current
  /// one.
  ///
  /// It comes after the version that the user saw, even if the device's clock was behind.
  package func version(of field: String) -> Stamp {
    guard let base = base[field], stamp <= base else { return stamp }
    return base.next(by: stamp.device)
  }
}

/// The encoding has the row, the generation, the kind, the stamp, then the fields with their base
/// versions. A deletion, which writes no fields, has NULL with each base version.
extension Op: WireCodable {
  package static var leastByteCount: Int { 29 }

  package func encode(into writer: inout WireWriter) {
    row.encode(into: &writer)
    writer.signed(generation)
    kind.encode(into: &writer)
    stamp.encode(into: &writer)
    let seen = kind == .delete ? base.mapValues { _ in WireValue.null } : [:]
    FieldWriter.write(
      seen.isEmpty ? fields : fields.merging(seen) { value, _ in value }, base, to: &writer)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let row = try RowID(from: &reader)
    let generation = try reader.ordinal()
    let kind = try Kind(from: &reader)
    let stamp = try Stamp(from: &reader)
    let read = try FieldReader(from: &reader)
    self.init(
      kind, row, generation: generation, fields: read.fields, base: read.stamps, stamp: stamp)
  }
}

/// The encoding has a number for the kind, and the scope of a move.
extension Op.Kind: WireCodable {
  package func encode(into writer: inout WireWriter) {
    switch self {
    case .put: writer.byte(1)
    case .patch: writer.byte(2)
    case .delete: writer.byte(3)
    case .increment: writer.byte(4)
    case .move(let scope):
      writer.byte(5)
      scope.encode(into: &writer)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .put
    case 2: self = .patch
    case 3: self = .delete
    case 4: self = .increment
    case 5: self = .move(to: try ScopeID(from: &reader))
    default: throw reader.malformed("An op is of no known kind.")
    }
  }
}
