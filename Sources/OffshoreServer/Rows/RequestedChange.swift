import OffshoreHTTP
import OffshoreWire

/// A change of one row, requested by a client without a local copy of the data.
struct RequestedChange: Sendable {
  /// The kind of the change.
  enum Kind: Sendable {
    /// Inserts the row.
    case insert
    /// Replaces the values of the row, or inserts it.
    case put
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
  /// Whether the client may be of another release, as a device may: it uses the names of messages, and
  /// does not know the columns that it does not name. Otherwise these have no value.
  var isMessage = false

  private var row: RowID { RowID(table: table.name, id: place.id) }

  /// Returns the ops for the change, which are empty if the row has the new values already.
  ///
  /// The base of each op is the current version of its fields, so it takes effect whatever the
  /// clocks say.
  /// - Parameters:
  ///   - state: the current row or tombstone, or `nil` if it is missing or hidden from the account.
  ///   - stamp: the stamp of the ops.
  ///   - isSeen: whether the client has named the current version, so that it has computed the
  ///     value of a counter from the current one.
  /// - Throws: `ResourceError` if a column does not exist, a value is invalid, an insertion or a
  ///   replacement lacks one, or a replacement would undo increments that the client has not seen.
  func ops(
    on state: RowState?, at stamp: Stamp, isSeen: Bool = false
  ) throws(ResourceError) -> [Op] {
    switch kind {
    case .put where state?.isLiving == true:
      return edits(try replaced(state), try counted(state, isSeen: isSeen), on: state, stamp)
    case .insert, .put:
      let generation = state.map { $0.generation + 1 } ?? 1
      return [Op(.put, row, generation: generation, fields: try inserted(), stamp: stamp)]
    case .delete:
      return [
        Op(
          .delete, row, generation: state?.generation ?? 1, base: state?.deletionBase ?? [:],
          stamp: stamp)
      ]
    case .patch: return edits(try patched(state), try incremented(), on: state, stamp)
    }
  }

  private func edits(
    _ values: [String: WireValue], _ increments: [String: WireValue], on state: RowState?,
    _ stamp: Stamp
  ) -> [Op] {
    [op(.patch, values, on: state, stamp), op(.increment, increments, on: state, stamp)]
      .filter { !$0.fields.isEmpty }
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
      guard let value = try inserted(column) else { continue }
      fields.merge(column.fields(of: value)) { $1 }
    }
    return fields
  }

  private func value(of column: SyncedColumn) -> [UInt8]? {
    values[column.presentName] ?? values[column.name]
  }

  /// Returns the value of a column in an insertion, or `nil` if the row has none and shows the
  /// default.
  private func inserted(_ column: SyncedColumn) throws(ResourceError) -> WireValue? {
    if let value = try given(column) { return value }
    if column.name == table.scopeColumn { return WireValue(place.scope.value) }
    if column.isNullable { return isMessage ? nil : .null }
    if column.policy == .counter { return 0 }
    guard column.hasDefault else { throw Self.missing(column) }
    return nil
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

  private static func missing(_ column: SyncedColumn) -> ResourceError {
    .invalid(
      "The column must have a value. Send one of the type \(column.type.rawValue).",
      field: column.presentName)
  }

  private func patched(_ state: RowState?) throws(ResourceError) -> [String: WireValue] {
    try checkColumns(values)
    var fields: [String: WireValue] = [:]
    for column in table.columns {
      guard let new = try given(column) else { continue }
      fields.merge(column.changes(from: Self.value(of: column, in: state), to: new)) { $1 }
    }
    return fields
  }

  /// Returns the changed fields of a replacement, without counters.
  ///
  /// A column that the request does not name becomes NULL, as in an insertion. Columns that the
  /// client may not know stay, and so do the column of the scope and those with a default, which
  /// only devices know.
  private func replaced(_ state: RowState?) throws(ResourceError) -> [String: WireValue] {
    try checkColumns(values)
    var fields: [String: WireValue] = [:]
    for column in table.columns where column.policy != .counter {
      guard let new = try replacement(of: column) else { continue }
      fields.merge(column.changes(from: Self.value(of: column, in: state), to: new)) { $1 }
    }
    return fields
  }

  private func replacement(of column: SyncedColumn) throws(ResourceError) -> WireValue? {
    if let value = try given(column) { return value }
    if isMessage || column.isRetired || column.hasDefault { return nil }
    if column.name == table.scopeColumn { return nil }
    guard column.isNullable else { throw Self.missing(column) }
    return .null
  }

  /// Returns the increments by which the named counters get their values. Other counters stay.
  private func counted(
    _ state: RowState?, isSeen: Bool
  ) throws(ResourceError) -> [String: WireValue] {
    var fields: [String: WireValue] = [:]
    for column in table.columns where column.policy == .counter {
      let old = Self.value(of: column, in: state)
      guard let new = try given(column), new != old else { continue }
      guard column.holds(new), let increment = new.increment(from: old) else {
        throw .invalid("A counter is an integer.", field: column.presentName)
      }
      guard isSeen else {
        throw .invalid(
          "The counter has another value. Leave it out, or send the ETag of its row as If-Match.",
          field: column.presentName)
      }
      fields[column.name] = increment
    }
    return fields
  }

  private static func value(of column: SyncedColumn, in state: RowState?) -> WireValue {
    state.flatMap { column.value(of: $0.fields) } ?? .null
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
      let known = table.columns.filter { isMessage || !$0.isRetired }.map(shownName(of:))
      let list = known.isEmpty ? "" : " Its columns are \(known.joined(separator: ", "))."
      throw ResourceError(
        .unprocessableContent, "unknownColumn", "The table has no such synced column.\(list)",
        field: String(name.prefix(100)))
    }
  }

  // MARK: - Errors

  /// Returns an error of this change with the names of the column and the table that the client
  /// knows. The message begins with both, as in “tasks.title”.
  func named(_ error: ResourceError) -> ResourceError {
    guard let field = error.field else { return error }
    let name = FieldName(field)
    let shown = table.column(named: name.column).map {
      FieldName(column: shownName(of: $0), key: name.key).text
    }
    return error.about(shown ?? field, of: isMessage ? table.name : table.presentName)
  }

  private func shownName(of column: SyncedColumn) -> String {
    isMessage ? column.name : column.presentName
  }
}
