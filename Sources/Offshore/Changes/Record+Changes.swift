import CSQLite

extension Record {
  /// Inserts the row.
  ///
  /// `INSERT INTO "charters" ("id", …) VALUES (?1, …)`. There are two variants: `insertIfAbsent`
  /// skips a row whose key or another unique value exists already, and returns whether it inserted
  /// the row (`ON CONFLICT DO NOTHING`); `inserted` returns the row with the values that the
  /// database fills in, such as a number for a `nil` integer key (`RETURNING "id", …`).
  /// - Throws: ``DatabaseError``: `constraint` if the primary key or another constraint refuses the
  ///   row, `invalidValue` if a value cannot be stored, `declaration` if the table is declared
  ///   incorrectly.
  public func insert(_ writer: Writer) throws {
    try writer.connection.write(self, .insert)
  }

  /// Inserts the row unless its key or another unique value exists already.
  ///
  /// `INSERT INTO … ON CONFLICT DO NOTHING`
  /// - Returns: Whether the row was inserted.
  /// - Throws: ``DatabaseError``: `constraint` if a constraint other than a unique one refuses the
  ///   row, `invalidValue` if a value cannot be stored.
  @_documentation(visibility: internal)
  @discardableResult
  public func insertIfAbsent(_ writer: Writer) throws -> Bool {
    try writer.connection.write(self, .insertIfAbsent) > 0
  }

  /// Inserts rows in order, by one prepared statement.
  /// - Throws: ``DatabaseError`` as ``insert(_:)`` does. If the error is caught inside the write,
  ///   the rows before the refused one stay inserted; a savepoint around the call undoes them.
  public static func insert(contentsOf rows: [Self], _ writer: Writer) throws {
    try writer.connection.write(contentsOf: rows, .insert)
  }

  /// Updates all columns of the row with this primary key.
  ///
  /// `UPDATE "charters" SET "name" = ?2, … WHERE "id" = ?1`
  /// - Throws: ``DatabaseError``: `notFound` if the row does not exist, `constraint` if a
  ///   constraint refuses the change, `invalidValue` if a value cannot be stored, `declaration` if
  ///   the table has no primary key.
  public func update(_ writer: Writer) throws {
    try writer.connection.requireKey(Self.table)
    guard try writer.connection.write(self, .update) > 0 else { throw Self.table.notFound(self) }
  }

  /// Inserts the row, or updates all columns of the row with its primary key.
  ///
  /// `INSERT INTO … ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name", …`, never `REPLACE`:
  /// rows that refer to this one stay.
  /// - Throws: ``DatabaseError`` as ``update(_:)`` does, but not `notFound`.
  public func save(_ writer: Writer) throws {
    try writer.connection.requireKey(Self.table)
    try writer.connection.write(self, .save)
  }

  /// Updates the columns in which this value differs from a newer one. Equal values change nothing.
  ///
  /// `UPDATE "charters" SET "name" = ? WHERE "id" = ?`
  /// - Parameters:
  ///   - newer: The values to store. Its key can differ from this value's key.
  ///   - writer: The writer.
  /// - Throws: ``DatabaseError`` as ``update(_:)`` does.
  public func update(changing newer: Self, _ writer: Writer) throws {
    let table = Self.table
    try writer.connection.requireKey(table)
    let lookups = table.plan.lookups
    let changed = lookups.indices.filter { !lookups[$0].isEqual(self, newer) }
    guard !changed.isEmpty else { return }
    guard try writer.connection.update(self, to: newer, columns: changed) else {
      throw table.notFound(self)
    }
  }

  /// Deletes the row with this value's primary key.
  ///
  /// `DELETE FROM "charters" WHERE "id" = ?`
  /// - Returns: Whether the row existed.
  /// - Throws: ``DatabaseError``: `constraint` if other rows refer to it, `declaration` if the
  ///   table has no primary key.
  @discardableResult
  public func delete(_ writer: Writer) throws -> Bool {
    try writer.connection.requireKey(Self.table)
    return try writer.connection.delete(self)
  }

  /// Inserts the row and returns it as it is stored, with the values that the database fills in,
  /// such as a number for a `nil` integer key. Changes by triggers are not included.
  ///
  /// `INSERT INTO … VALUES (…) RETURNING "id", …`
  /// - Throws: ``DatabaseError`` as ``insert(_:)`` does.
  @_documentation(visibility: internal)
  public func inserted(_ writer: Writer) throws -> Self {
    let plan = Self.table.plan
    let sql = plan.sql.insert + " RETURNING " + plan.sql.columnList
    let (statement, _) = try writer.connection.statement(sql)
    var values = RowWriter(nil)
    Self.table.bind(self, &values)
    if let failure = values.failure { throw Self.table.unstorable(failure, self) }
    let rows = try writer.connection.fetchAll(Self.table, statement, values.collected)
    guard let row = rows.first else { throw Self.table.notFound(self) }
    return row
  }
}

extension ColumnLookup {
  /// Returns a `?` with the value that a row has in the column.
  func bind(_ row: Row) -> SQL {
    var writer = RowWriter(nil)
    encode(row, &writer, 1)
    if let failure = writer.failure {
      return SQL(
        problem: .invalidValue,
        "Column “\(definition.name)” cannot store the value: expected \(failure.expected).")
    }
    return SQL(text: "?", arguments: writer.collected)
  }
}

extension Table {
  /// Returns the stored form of a row's key.
  func key(of row: Row) -> [SQLValue] {
    plan.keyIndexes.flatMap { plan.lookups[$0].bind(row).arguments }
  }

  func notFound(_ row: Row) -> DatabaseError {
    var error = DatabaseError(.notFound, "There is no such row in “\(name)”. Insert it first.")
    error.table = name
    error.rowKey = key(of: row)
    return error
  }

  /// Returns the error for a value that its column cannot store.
  /// - Parameter index: The index of the column; by default, that of the failure.
  func unstorable(_ failure: ColumnFailure, column index: Int? = nil, _ row: Row) -> DatabaseError {
    let column = columns[index ?? Int(failure.index)].name
    var error = DatabaseError(
      .invalidValue, "Column “\(column)” cannot store the value: expected \(failure.expected).")
    error.table = name
    error.column = column
    error.detail = failure.detail
    error.rowKey = key(of: row)
    return error
  }
}
