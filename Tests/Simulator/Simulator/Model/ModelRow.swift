import OffshoreWire

/// The model's state of a row in a scope, with a version of each field.
struct ModelRow: Equatable {
  /// The end of a life of the row.
  enum End: Equatable { case deleted, moved }

  /// A value with the time at which it was written.
  struct Field: Equatable {
    var value: WireValue
    var version: ModelStamp
  }

  /// The number of the life. A tombstone has a number of its own.
  var generation: Int64
  /// The end of the last life, or `nil` while the row exists.
  var end: End?
  /// The time of the last insertion, or of the end of the life.
  var stamp: ModelStamp
  /// The fields; empty if the row does not exist.
  var fields: [String: Field] = [:]

  var isLiving: Bool { end == nil }

  /// Creates a row by an insertion.
  init(insertedBy edit: ModelEdit) {
    generation = edit.generation
    stamp = edit.stamp
    for (name, value) in edit.fields { fields[name] = Field(value: value, version: edit.stamp) }
  }

  /// Converts a server's state of a row.
  init(_ state: RowState) {
    generation = state.generation
    stamp = ModelStamp(state.stamp)
    switch state.presence {
    case .living: end = nil
    case .deleted: end = .deleted
    case .moved: end = .moved
    }
    for (name, value) in state.fields {
      let version = state.versions[name].map { ModelStamp($0) } ?? stamp
      fields[name] = Field(value: value, version: version)
    }
  }

  /// Ends this life.
  mutating func finish(_ end: End, at stamp: ModelStamp) {
    generation += 1
    self.end = end
    self.stamp = stamp
    fields = [:]
  }
}

/// An edit as the server applies it, with stamps that are not ahead of its clock.
struct ModelEdit {
  let row: RowID
  let kind: Op.Kind
  let generation: Int64
  let fields: [String: WireValue]
  let stamp: ModelStamp
  let seen: [String: ModelStamp]

  /// Creates an edit with its stamps clamped.
  /// - Parameter known: The row. A version that it has or had is not clamped.
  init(_ op: Op, notAfter limit: Int64, over known: ModelRow? = nil) {
    row = op.row
    kind = op.kind
    generation = op.generation
    fields = op.fields
    stamp = ModelStamp(op.stamp).notAfter(limit)
    var seen: [String: ModelStamp] = [:]
    for (field, stamp) in op.base {
      let stamp = ModelStamp(stamp)
      let wasThere = known?.fields[field].map { stamp <= $0.version } ?? false
      seen[field] = wasThere ? stamp : stamp.notAfter(limit)
    }
    self.seen = seen
  }

  init(arrivalOf edit: ModelEdit, carrying fields: [String: WireValue], generation: Int64) {
    row = edit.row
    kind = .put
    self.generation = generation
    self.fields = fields
    stamp = edit.stamp
    seen = [:]
  }

  /// Returns the version that the edit gives a field: later than the version that its author saw.
  func version(of field: String) -> ModelStamp {
    if let seen = seen[field], stamp <= seen { return seen.following(by: stamp.device) }
    return stamp
  }
}
