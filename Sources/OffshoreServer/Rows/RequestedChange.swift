import OffshoreHTTP
import OffshoreWire

/// A change of one row, requested by a client without a local copy of the data.
struct RequestedChange: Sendable {
  /// The kind of the change.
  enum Kind: Sendable {
    /// Inserts the row.
    case insert
    /// Changes columns of the row.
    case patch
    /// Deletes the row.
    case delete
  }

  let kind: Kind
  let table: SyncedTable
  let place: RowPlace
  /// The values by column, whose names are those of the present release or of messages.
  var values: [String: [UInt8]] = [:]
  /// The increments of counters, by column in the same way.
  var increments: [String: [UInt8]] = [:]

  private var row: RowID { RowID(table: table.name, id: place.id) }

  /// Returns the ops for the change, which are empty if the row has the new values already.
  ///
  /// The base of each op is the current version of its fields, so it takes effect whatever the
  /// clocks say.
  /// - Parameter state: the current row or tombstone, or `nil` if it is missing or hidden from the
  ///   account.
  /// - Throws: `ResourceError` if a column does not exist, a value is invalid, or an insertion
  ///   lacks one.
  func ops(on state: RowState?, at stamp: Stamp) throws(ResourceError) -> [Op] {
    switch kind {
    case .insert:
      let generation = state.map { $0.generation + 1 } ?? 1
      return [Op(.put, row, generation: generation, fields: try inserted(), stamp: stamp)]
    case .delete:
      return [
        Op(
          .delete, row, generation: state?.generation ?? 1, base: state?.deletionBase ?? [:],
          stamp: stamp)
      ]
    case .patch:
      let edits = [
        op(.patch, try patched(state), on: state, stamp),
        op(.increment, try incremented(), on: state, stamp),
      ]
      return edits.filter { !$0.fields.isEmpty }
    }
  }

  private func op(
    _ kind: Op.Kind, _ fields: [String: WireValue], on state: RowState?, _ stamp: Stamp
  ) -> Op {
    let base = fields.keys.reduce(into: [:]) { $0[$1] = state?.version(of: $1) }
    return Op(
      kind, row, generation: state?.generation ?? 1, fields: fields, base: base, stamp: stamp)
  }

  // MARK: - Fields

  private func inserted() throws(ResourceError) -> [String: WireValue] {
    try checkColumns(values)
    var fields: [String: WireValue] = [:]
    for column in table.columns where !column.isRetired || value(of: column) != nil {
      fields.merge(column.fields(of: try inserted(column))) { $1 }
    }
    return fields
  }

  private func value(of column: SyncedColumn) -> [UInt8]? {
    values[column.presentName] ?? values[column.name]
  }

  private func inserted(_ column: SyncedColumn) throws(ResourceError) -> WireValue {
    if let value = try given(column) { return value }
    if column.name == table.scopeColumn { return WireValue(place.scope.value) }
    if column.isNullable { return .null }
    if column.policy == .counter { return 0 }
    throw .invalid("The column must have a value. Send one.", field: column.presentName)
  }

  /// Returns the value of a column in the request, or `nil` if the request does not name it.
  private func given(_ column: SyncedColumn) throws(ResourceError) -> WireValue? {
    guard let json = value(of: column) else { return nil }
    do throws(Rejection) {
      return try ValueText.value(json, of: column)
    } catch {
      throw ResourceError(error)
    }
  }

  private func patched(_ state: RowState?) throws(ResourceError) -> [String: WireValue] {
    try checkColumns(values)
    var fields: [String: WireValue] = [:]
    for column in table.columns {
      guard let new = try given(column) else { continue }
      let old = state.flatMap { column.value(of: $0.fields) } ?? .null
      fields.merge(column.changes(from: old, to: new)) { $1 }
    }
    return fields
  }

  private func incremented() throws(ResourceError) -> [String: WireValue] {
    try checkColumns(increments)
    var fields: [String: WireValue] = [:]
    for (name, json) in increments {
      fields[table.column(named: name)?.name ?? name] = try Self.increment(json, name)
    }
    return fields
  }

  private static func increment(
    _ json: [UInt8], _ name: String
  ) throws(ResourceError) -> WireValue {
    do throws(Rejection) {
      return try ValueText.integer(json, name)
    } catch {
      throw ResourceError(error)
    }
  }

  private func checkColumns(_ members: [String: [UInt8]]) throws(ResourceError) {
    for name in members.keys.sorted() where table.column(named: name) == nil {
      throw ResourceError(
        .unprocessableContent, "unknownColumn", "The table has no such synced column.",
        field: String(name.prefix(100)))
    }
  }
}
