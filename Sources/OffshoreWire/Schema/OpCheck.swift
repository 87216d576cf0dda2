extension Manifest {
  /// Checks that an op conforms to the manifest, before it is sent and before it is merged.
  ///
  /// An insertion may lack columns, because a device with an older schema does not know them. The
  /// server checks conditions on other rows, such as whether a referenced row exists.
  /// - Parameters:
  ///   - op: the op.
  ///   - scope: the scope of its batch.
  /// - Throws: `Rejection` with the first violation.
  package func check(_ op: Op, in scope: ScopeID) throws(Rejection) {
    guard let table = self[op.row.table] else {
      throw Rejection(
        .unknownTable, "The table is not synced. Update the app or the server.", of: op)
    }
    try OpCheck(op: op, scope: scope, table: table).validate()
  }
}

/// The check of one op against its table.
private struct OpCheck {
  let op: Op
  let scope: ScopeID
  let table: SyncedTable

  func validate() throws(Rejection) {
    try checkRow()
    try checkSizes()
    switch op.kind {
    case .delete:
      guard op.fields.isEmpty else { throw failure(.invalidOp, "A deletion writes no fields.") }
    case .put: try checkPut()
    case .patch: try checkPatch(movingTo: nil)
    case .increment: try checkIncrement()
    case .move(let target): try checkMove(to: target)
    }
    for (field, value) in op.fields { try check(value, of: field) }
  }

  // MARK: - The op

  private func checkRow() throws(Rejection) {
    guard 1...WireLimits.generation ~= op.generation else {
      throw failure(.invalidOp, "A row's generation counts from 1.")
    }
    guard op.row.hasValidID else {
      throw failure(.invalidOp, "A row's id has 1 to 200 visible characters of ASCII.")
    }
    guard scope.kind == table.scopeKind else {
      throw failure(.wrongScope, "Rows of this table belong to a scope of kind \(table.scopeKind).")
    }
    guard table.scopeColumn != table.idColumn || op.row.id == scope.value else {
      throw failure(.wrongScope, "The row's id names another scope than that of the batch.")
    }
  }

  private func checkSizes() throws(Rejection) {
    guard max(op.fields.count, op.base.count) <= WireLimits.fieldsPerOp else {
      throw failure(.tooLarge, "An edit has \(WireLimits.fieldsPerOp) fields at the most.")
    }
    var total = 0
    for (field, value) in op.fields {
      total += RowState.byteCount(of: field, value)
      guard value.byteCount <= WireLimits.valueBytes, field.utf8.count <= WireLimits.fieldNameBytes
      else {
        throw failure(.tooLarge, "The value is too large for a row. Store it as a blob.", field)
      }
    }
    guard op.base.keys.allSatisfy({ $0.utf8.count <= WireLimits.fieldNameBytes }) else {
      throw failure(.tooLarge, "The names of the fields that were seen are too long.")
    }
    guard total <= WireLimits.opBytes else {
      throw failure(.tooLarge, "The values together are too large for a row. Store some as blobs.")
    }
  }

  // MARK: - Kinds

  private func checkPut() throws(Rejection) {
    guard table.scopeColumn != table.idColumn else { return }
    guard let value = op.fields[table.scopeColumn] else {
      throw failure(.invalidOp, "An insertion tells the row's scope.", table.scopeColumn)
    }
    try check(value, names: scope)
  }

  private func checkPatch(movingTo target: ScopeID?) throws(Rejection) {
    for field in op.fields.keys.sorted() {
      if field == table.scopeColumn, target == nil {
        throw failure(.invalidOp, "A row changes its scope by a move.", field)
      }
      if table.idSource.contains(field), field != table.scopeColumn {
        throw failure(
          .invalidOp, "The id is derived from this. Delete the row and insert another.", field)
      }
      if field == table.writers.authorColumn {
        throw failure(
          .invalidOp, "The author of a row stays. Delete the row and insert another.", field)
      }
      if table[field]?.policy == .counter {
        throw failure(.invalidOp, "A counter changes by increments only.", field)
      }
    }
  }

  private func checkMove(to target: ScopeID) throws(Rejection) {
    guard table.scopeColumn != table.idColumn, !table.idSource.contains(table.scopeColumn) else {
      throw failure(.invalidOp, "The id tells the row's scope. Delete the row and insert another.")
    }
    guard target.kind == table.scopeKind, target != scope else {
      throw failure(.wrongScope, "A row moves to another scope of kind \(table.scopeKind).")
    }
    guard let value = op.fields[table.scopeColumn] else {
      throw failure(.invalidOp, "A move tells the row's new scope.", table.scopeColumn)
    }
    try check(value, names: target)
    try checkPatch(movingTo: target)
  }

  private func checkIncrement() throws(Rejection) {
    guard !op.fields.isEmpty else { throw failure(.invalidOp, "An increment adds to something.") }
    for (field, value) in op.fields {
      guard table[field]?.policy == .counter else {
        throw failure(.invalidOp, "Only a counter is incremented.", field)
      }
      guard !value.isNull else { throw failure(.invalidValue, "An increment is a number.", field) }
    }
  }

  private func check(_ value: WireValue, names scope: ScopeID) throws(Rejection) {
    guard value == WireValue(scope.value) else {
      throw failure(.wrongScope, "The row belongs to another scope.", table.scopeColumn)
    }
  }

  // MARK: - Values

  private func check(_ value: WireValue, of field: String) throws(Rejection) {
    let name = FieldName(field)
    guard let column = table[name.column] else {
      throw failure(.unknownColumn, "The table has no such synced column.", field)
    }
    if let key = name.key { return try check(value, of: key, in: column, field) }
    guard column.isNullable || !value.isNull else {
      throw failure(.invalidValue, "The column must have a value.", field)
    }
    guard column.type.allows(value) else {
      throw failure(
        .invalidValue, "The column stores \(column.type.rawValue), not \(value).", field)
    }
    if let form = column.form, !CompoundValue.isShell(value, of: form) {
      throw failure(.invalidValue, "The parts of the value are fields of their own.", field)
    }
    if case .ordered(let states) = column.policy, let state = value.string, !states.contains(state)
    {
      let list = states.prefix(20).joined(separator: ", ")
      throw failure(
        .invalidValue,
        "The state is not one of \(list)\(states.count > 20 ? ", …" : "").", field)
    }
  }

  private func check(
    _ value: WireValue, of key: String, in column: SyncedColumn, _ field: String
  ) throws(Rejection) {
    guard let form = column.form else {
      throw failure(.unknownColumn, "The column is not merged by its keys.", field)
    }
    guard CompoundValue.isPart(key, value, of: form) else {
      throw failure(
        .invalidValue, "The key or its value is not what taking the column apart gives.", field)
    }
    guard op.kind != .put || !value.isNull else {
      throw failure(.invalidValue, "An insertion removes no keys.", field)
    }
  }

  private func failure(
    _ code: Rejection.Code, _ message: String, _ field: String? = nil
  ) -> Rejection {
    Rejection(code, message, of: op, field: field)
  }
}

extension Rejection {
  /// Creates the rejection of an op. Names that are too long for an op are left out, because the
  /// answer has to fit into a body and is stored.
  fileprivate init(_ code: Code, _ message: String, of op: Op, field: String? = nil) {
    let isNamed = [op.row.table, op.row.id].allSatisfy(Self.isShort)
    self.init(
      code, message, row: isNamed ? op.row : nil,
      field: field.flatMap { Self.isShort($0) ? $0 : nil })
  }

  private static func isShort(_ name: String) -> Bool {
    name.utf8.count <= WireLimits.fieldNameBytes
  }
}
