import CSQLite

/// A type whose values are the rows of one table.
///
/// ```swift
/// extension Charter: Record {
///   static let table = Table(
///     "charters", Charter.init,
///     Column("id", \.id).primaryKey(),
///     Column("name", \.name),
///     Column("startDate", \.startDate))
/// }
///
/// try charter.insert(writer)
/// let upcoming = try Charter.where { $0.startDate > now }.all(reader)
/// ```
public protocol Record: Sendable {
  /// The table that stores the values. Declare it as a stored constant, so that it is created once.
  static var table: Table<Self> { get }
}

// MARK: - Queries

extension Record {
  /// A query for all rows.
  ///
  /// `SELECT "id", … FROM "charters"`. Seven functions of ``Query`` can also be called on the type:
  /// `Charter.where { … }` is the same as `Charter.all.where { … }`. The others are `order`,
  /// `including`, `joining`, `leftJoining`, `group` and `matching`.
  public static var all: Query<Self> { Query() }
}

@_documentation(visibility: internal)
extension Record {
  /// Returns a query for the rows that satisfy a condition.
  ///
  /// ```swift
  /// Charter.where { $0.startDate > now && $0.name.contains("Alma") || $0.guests.in([2, 4]) }
  /// // SELECT "id", … FROM "charters" WHERE "charters"."startDate" > ? AND …
  /// ```
  public static func `where`(
    _ condition: (Columns<Self>) -> SQLExpression<Bool>
  ) -> Query<Self> {
    all.where(condition)
  }

  /// Returns a query for all rows, sorted by one or more terms; see ``Query/order(_:)``.
  public static func order(
    @OrderBuilder _ terms: (Columns<Self>) -> [OrderTerm]
  ) -> Query<Self> {
    all.order(terms)
  }

  /// Returns a query for all rows with the rows of another table that refer to them; see
  /// ``Query/including(_:by:)``.
  public static func including<Child: Record>(
    _ children: Query<Child>, by property: PartialKeyPath<Child>? = nil
  ) -> IncludingQuery<Self, Child> {
    all.including(children, by: property)
  }

  /// Joins all rows with the row of another table that each refers to; see
  /// ``Query/joining(_:by:)``.
  public static func joining<Other: Record>(
    _ other: Other.Type, by property: PartialKeyPath<Self>? = nil
  ) -> Join<Two<Inner<Self>, Inner<Other>>> {
    all.joining(other, by: property)
  }

  /// Joins all rows with the row of another table that each refers to, or with `nil`; see
  /// ``Query/joining(_:by:)``.
  public static func leftJoining<Other: Record>(
    _ other: Other.Type, by property: PartialKeyPath<Self>? = nil
  ) -> Join<Two<Inner<Self>, Left<Other>>> {
    all.leftJoining(other, by: property)
  }

  /// Groups all rows by the values of expressions; see ``Query/group(_:)``.
  public static func group<each Key>(
    @ExpressionBuilder _ keys: (Columns<Self>) -> ExpressionList<repeat each Key>
  ) -> Grouping<One<Inner<Self>>> {
    all.group(keys)
  }

  /// Returns a query for the rows that have all words of a text; see
  /// ``Query/matching(_:in:words:)``.
  public static func matching(
    _ text: String, in index: TextIndex<Self>, words match: WordMatch = .lastBegins
  ) -> Query<Self> {
    all.matching(text, in: index, words: match)
  }
}

extension Record where Self: Identifiable {
  /// Returns a query for the row with the given `id`.
  ///
  /// ```swift
  /// let charter = try Charter.find(id).first(reader)
  /// // SELECT "id", … FROM "charters" WHERE "id" = ?
  /// ```
  /// The primary key of the table must be one column, that of the property `id`. If the key is
  /// another, fetching throws ``DatabaseError`` with code `declaration`. An observation of the row
  /// ignores changes of other rows.
  @inlinable
  public static func find(_ id: ID) -> Query<Self> {
    guard let coder = table.plan.keyCoder(for: { $0.id }) else { return noQuery(nil) }
    let (key, failure) = coder.encode(id)
    return failure == nil ? Query(key: key) : noQuery(coder.bind(id))
  }

  /// Returns a query that fails, by the problem of the key or because the table has no such key.
  @usableFromInline
  static func noQuery(_ problem: SQL?) -> Query<Self> {
    let problem =
      problem
      ?? SQL(
        problem: .declaration,
        "The primary key of “\(table.name)” is not the property “id” alone. Use where.")
    var query = Query<Self>()
    query.condition = SQLExpression<Bool>(problem, isNullable: false)
    return query
  }
}

// MARK: - Changes

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

  /// Inserts rows in order, by one prepared statement, or by one statement for several rows if that is
  /// faster and has the same effect.
  /// - Throws: ``DatabaseError`` as ``insert(_:)`` does. If the error is caught inside the write,
  ///   the rows before the refused one stay inserted; a savepoint around the call undoes them.
  public static func insert(contentsOf rows: [Self], _ writer: Writer) throws {
    try writer.connection.insert(contentsOf: rows)
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

  /// Updates the row of this value to a newer value, by the columns in which the two differ.
  ///
  /// `UPDATE "charters" SET "name" = ? WHERE "id" = ?`. Call it on the former value:
  /// `old.update(changing: new, writer)` stores `new`. If the values are equal, nothing is written.
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
