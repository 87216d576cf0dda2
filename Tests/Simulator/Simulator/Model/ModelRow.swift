import OffshoreWire

/// What the model knows of a row in a scope, with a version beside each field.
struct ModelRow: Equatable {
  /// How a life of the row ended.
  enum End: Equatable { case deleted, moved }

  /// A value, and when it was written.
  struct Field: Equatable {
    var value: WireValue
    var version: ModelStamp
  }

  /// Which life this is; the death after it counts as one of its own.
  var generation: Int64
  /// How the last life ended, or `nil` while the row is there.
  var end: End?
  /// When the row was last inserted, or when its life ended.
  var stamp: ModelStamp
  /// The fields; a row that is not there has none.
  var fields: [String: Field] = [:]

  var isLiving: Bool { end == nil }

  /// A row that an insertion begins.
  init(insertedBy edit: ModelEdit) {
    generation = edit.generation
    stamp = edit.stamp
    for (name, value) in edit.fields { fields[name] = Field(value: value, version: edit.stamp) }
  }

  /// What a server's state of a row says, in the model's terms.
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

/// An edit as the server takes it: with stamps that are not ahead of its clock.
struct ModelEdit {
  let row: RowID
  let kind: Op.Kind
  let generation: Int64
  let fields: [String: WireValue]
  let stamp: ModelStamp
  let seen: [String: ModelStamp]

  /// - Parameter known: the row. What it has or had is no version from the future.
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

  /// The version that the edit gives a field: after the one that its maker saw.
  func version(of field: String) -> ModelStamp {
    if let seen = seen[field], stamp <= seen { return seen.following(by: stamp.device) }
    return stamp
  }
}
