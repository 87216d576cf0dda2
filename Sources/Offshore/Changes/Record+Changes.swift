import CSQLite

extension Record {
  /// Inserts the row.
  ///
  /// `INSERT INTO "charters" ("id", …) VALUES (?1, …)`
  /// - Throws: ``DatabaseError``: `constraint` where the key or another constraint refuses the row,
  ///   `invalidValue` where a value cannot be stored.
  public func insert(_ writer: Writer) throws {
    try writer.connection.write(self, .insert)
  }

  /// Inserts the row unless its key or another unique value is taken; any other constraint refuses it.
  ///
  /// `INSERT INTO … ON CONFLICT DO NOTHING`
  /// - Returns: whether the row was inserted.
  /// - Throws: ``DatabaseError``: `constraint` if a constraint other than a unique one refuses the row,
  ///   `invalidValue` if a value cannot be stored.
  @discardableResult
  public func insertIfAbsent(_ writer: Writer) throws -> Bool {
    try writer.connection.write(self, .insertIfAbsent) > 0
  }

  /// Inserts rows, in order and by one statement.
  /// - Throws: ``DatabaseError`` as ``insert(_:)`` does; rows before the one refused are inserted
  ///   then, and undone with the write unless a savepoint catches the error.
  public static func insert(contentsOf rows: [Self], _ writer: Writer) throws {
    try writer.connection.write(contentsOf: rows, .insert)
  }

  /// Writes all columns of the row that has this primary key.
  ///
  /// `UPDATE "charters" SET "name" = ?2, … WHERE "id" = ?1`
  /// - Throws: ``DatabaseError``: `notFound` where there is no such row, `constraint`,
  ///   `invalidValue`.
  public func update(_ writer: Writer) throws {
    try writer.connection.requireKey(Self.table)
    guard try writer.connection.write(self, .update) > 0 else { throw Self.table.notFound(self) }
  }

  /// Inserts the row, or writes all columns of the row that has its primary key.
  ///
  /// `INSERT INTO … ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name", …`, never REPLACE:
  /// rows that refer to this one stay.
  /// - Throws: ``DatabaseError``: `constraint`, `invalidValue`.
  public func save(_ writer: Writer) throws {
    try writer.connection.requireKey(Self.table)
    try writer.connection.write(self, .save)
  }

  /// Writes the columns in which this value differs from a newer one; nothing where none does.
  ///
  /// `UPDATE "charters" SET "name" = ? WHERE "id" = ?`
  /// - Throws: ``DatabaseError``: `notFound` where there is no such row, `constraint`,
  ///   `invalidValue`.
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

  /// Deletes the row that has this value's primary key.
  ///
  /// `DELETE FROM "charters" WHERE "id" = ?`
  /// - Returns: whether there was such a row.
  /// - Throws: ``DatabaseError`` with code `constraint` where other rows refer to it.
  @discardableResult
  public func delete(_ writer: Writer) throws -> Bool {
    try writer.connection.requireKey(Self.table)
    return try writer.connection.delete(self)
  }

  /// Inserts the row and returns it as it is stored, with what the database filled in: a number for
  /// a `nil` integer key, what triggers set.
  ///
  /// `INSERT INTO … VALUES (…) RETURNING "id", …`
  /// - Throws: ``DatabaseError`` as ``insert(_:)`` does.
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
  /// A `?` with the column's value of a row.
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
  /// The stored form of a row's key.
  func key(of row: Row) -> [SQLValue] {
    plan.keyIndexes.flatMap { plan.lookups[$0].bind(row).arguments }
  }

  func notFound(_ row: Row) -> DatabaseError {
    var error = DatabaseError(.notFound, "There is no such row in “\(name)”. Insert it first.")
    error.table = name
    error.rowKey = key(of: row)
    return error
  }

  /// The error for a value that its column cannot store.
  /// - Parameter index: the index of the column; that of the failure unless stated.
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
