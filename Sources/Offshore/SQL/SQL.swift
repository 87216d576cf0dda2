/// An SQL statement with its values, which are bound and never become part of its text.
///
/// ```swift
/// let name = "Alma'; DROP TABLE charters; --"
/// let sql = SQL("SELECT * FROM charters WHERE name = \(name)")
/// // sql.text == "SELECT * FROM charters WHERE name = ?"
/// let charters = try sql.all(reader, as: Charter.self)
/// ```
///
/// | interpolation | effect |
/// | --- | --- |
/// | `\(value)` | binds a ``ColumnValue`` in its default representation, and `nil` as NULL |
/// | `\(id, as: .blob)` | binds a value by the codec of a ``CodecKind`` |
/// | `\(fragment)` | inserts another ``SQL`` with its values |
/// | `\(identifier: name)` | inserts the name of a table or column in double quotes |
/// | `\(columns: Charter.self)` | inserts the names of a record's columns, in declared order |
///
/// ``run(_:)`` and ``all(_:as:)`` run the statement; `explain(reader)` describes its plan, as
/// ``Fetchable/explain(_:)`` does. A value that cannot be stored makes the statement throw
/// ``DatabaseError`` when it runs. The `description` is the text; the bound values, in `arguments`,
/// may be personal data.
public struct SQL: Hashable, Sendable {
  /// The text, with `?` for each value.
  public private(set) var text: String
  /// The values, in the order of their `?`.
  @_documentation(visibility: internal)
  public private(set) var arguments: [SQLValue]
  /// The error of a statement that cannot run because a value cannot be stored or a column is not
  /// declared.
  private(set) var problem: Problem?

  /// An error that was found while the statement was composed.
  struct Problem: Error, Hashable {
    let code: DatabaseError.Code
    let message: String
  }

  /// Creates a statement from SQL text without values. Never pass text that a user has typed.
  public init(raw text: String) {
    self.text = text
    arguments = []
  }

  init(text: String, arguments: [SQLValue]) {
    self.text = text
    self.arguments = arguments
  }

  init(problem code: DatabaseError.Code, _ message: String) {
    self.init(Problem(code: code, message: message))
  }

  init(_ problem: Problem) {
    text = "NULL"
    arguments = []
    self.problem = problem
  }

  /// Appends a fragment with its values.
  mutating func append(_ other: SQL) {
    text += other.text
    arguments += other.arguments
    problem = problem ?? other.problem
  }

  /// Appends SQL text.
  mutating func append(raw other: String) { text += other }

  /// Appends a value to bind.
  mutating func append(_ value: SQLValue) {
    text += "?"
    arguments.append(value)
  }

  /// Throws the problem of the statement, if it has one.
  func check() throws {
    guard let problem else { return }
    var error = DatabaseError(problem.code, problem.message)
    error.sql = text
    throw error
  }
}

@_documentation(visibility: internal)
extension SQL: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text, without the values, which may be personal data.
  public var description: String { text }

  /// The text and the values.
  public var debugDescription: String { arguments.isEmpty ? text : "\(text) \(arguments)" }
}

@_documentation(visibility: internal)
extension SQL: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self.init(raw: value) }

  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

  /// Collects the literal parts and the values of an interpolated statement.
  public struct StringInterpolation: StringInterpolationProtocol {
    var sql = SQL(raw: "")

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { sql.append(raw: literal) }

    /// Binds a value with its type's native representation.
    public mutating func appendInterpolation<Value: ColumnValue>(_ value: Value) {
      sql.append(binding: value, as: Value.Codec.self)
    }

    // NB: The next function binds values that the one above would bind, too. Without it, the
    // compiler warns about each optional in a statement.

    /// Binds an optional value with its type's native representation, and `nil` as NULL.
    public mutating func appendInterpolation<Value: ColumnValue>(_ value: Value?) {
      sql.append(binding: value, as: Nullable<Value.Codec>.self)
    }

    /// Binds a value with the representation of a codec, and `nil` as NULL: `\(id, as: .blob)`.
    public mutating func appendInterpolation<Codec: ColumnCodec>(
      _ value: Codec.Value?, as kind: CodecKind<Codec>
    ) {
      sql.append(binding: value, as: Nullable<Codec>.self)
    }

    /// Inserts a fragment with its values.
    public mutating func appendInterpolation(_ fragment: SQL) { sql.append(fragment) }

    /// Inserts the name of a table or column, quoted.
    public mutating func appendInterpolation(identifier: String) {
      sql.append(raw: identifier.quotedIdentifier)
    }

    /// Inserts the names of a table's columns in declared order, quoted.
    public mutating func appendInterpolation<Row: Record>(columns: Row.Type) {
      sql.append(raw: Row.table.plan.sql.columnList)
    }
  }
}

extension SQL {
  /// Creates a `?` with a value that a codec encodes.
  init<Codec: ColumnCodec>(binding value: Codec.Value, as codec: Codec.Type) {
    self.init(raw: "")
    append(binding: value, as: codec)
  }

  /// Appends a `?` with a value that a codec encodes.
  mutating func append<Codec: ColumnCodec>(binding value: Codec.Value, as _: Codec.Type) {
    var writer = RowWriter(nil)
    Codec.bind(value, &writer, 1)
    if let failure = writer.failure {
      append(
        SQL(problem: .invalidValue, "A value cannot be stored: expected \(failure.expected)."))
    } else {
      append(writer.collected.first ?? .null)
    }
  }
}

extension SQL {
  /// Returns all rows of the result as values of a type; `first(_:as:)` returns the first or `nil`.
  ///
  /// ```swift
  /// // A record, whose columns are found by name:
  /// try SQL("SELECT \(columns: Charter.self) FROM charters WHERE name = \(name)")
  ///   .all(reader, as: Charter.self)
  /// // A column value, if the result has one column:
  /// try SQL("SELECT name FROM charters").all(reader, as: String.self)
  /// // A tuple, if it has several:
  /// try SQL("SELECT name, count(*) FROM charters GROUP BY name")
  ///   .all(reader, as: String.self, Int.self)
  /// // A Decodable type, whose coding keys are names of columns:
  /// struct Total: Decodable { let name: String, sum: Int }
  /// try SQL("SELECT name, sum(cents) AS sum FROM … GROUP BY name").all(reader, as: Total.self)
  /// ```
  /// For values that can be NULL, pass an optional type: `String?.self`. For records and
  /// `Decodable` types, the result can have further columns, in any order. `forEach(_:as:_:)` passes the rows
  /// to a closure instead, with one in memory at a time.
  ///
  /// A property of a `Decodable` type is read as a ``ColumnValue`` if its own type is one.
  /// Otherwise the `init(from:)` of the property's type decodes it: from the column's value if
  /// the initializer uses a single-value container, as for an enum with raw values, or else from
  /// the column's text as JSON.
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses the statement, a column is
  ///   missing, or the numbers of columns and types differ; `invalidValue` if a value does not fit
  ///   its type. Errors of a `Decodable` type's own decoding.
  public func all<Row: Record>(_ reader: Reader, as type: Row.Type) throws -> [Row] {
    try reader.connection.fetchAll(type, self)
  }

  /// Returns the first row of the result as a value of a record type, or `nil` if the result is
  /// empty.
  /// - Throws: The errors of `all(_:as:)`.
  @_documentation(visibility: internal)
  public func first<Row: Record>(_ reader: Reader, as type: Row.Type) throws -> Row? {
    try reader.connection.fetchOne(type, self)
  }

  /// Returns all rows of a result with one column.
  ///
  /// For values that can be NULL, pass an optional type: `String?.self`.
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses the statement or the result does
  ///   not have one column, `invalidValue` if a value has another type.
  @_documentation(visibility: internal)
  public func all<Value: ColumnValue>(_ reader: Reader, as type: Value.Type) throws -> [Value] {
    try reader.connection.fetch(self, columns: 1) { try $0.value(type) }
  }

  /// Returns the first row of a result with one column, or `nil` if the result is empty.
  /// - Throws: The errors of `all(_:as:)`.
  @_documentation(visibility: internal)
  public func first<Value: ColumnValue>(_ reader: Reader, as type: Value.Type) throws -> Value? {
    try reader.connection.fetchOne(self, columns: 1) { try $0.value(type) }
  }

  /// Returns the first row of a result with one column, decoded as a value of a property's column;
  /// `nil` if the result is empty.
  /// - Throws: ``DatabaseError``: `invalidSQL`, `invalidValue` if the value does not fit the
  ///   column, `declaration` if the property is not a column.
  package func first<Row: Record, Value>(
    _ reader: Reader, as property: KeyPath<Row, Value>
  ) throws -> Value? {
    let column = Columns<Row>()[dynamicMember: property]
    return try reader.connection.fetchOne(self, columns: 1) { try $0.value(column) }
  }

  /// Returns a value as the column of a property stores it.
  package static func value<Row: Record, Value>(
    _ value: Value, as property: KeyPath<Row, Value>
  ) -> SQL {
    Columns<Row>()[dynamicMember: property].bind(value)
  }

  /// Returns all rows of a result with several columns as tuples.
  ///
  /// ```swift
  /// try SQL("SELECT name, count(*) FROM charters GROUP BY name")
  ///   .all(reader, as: String.self, Int.self)
  /// ```
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses the statement or the numbers of
  ///   columns and types differ, `invalidValue` if a value has another type.
  @_documentation(visibility: internal)
  public func all<First: ColumnValue, each Other: ColumnValue>(
    _ reader: Reader, as first: First.Type, _ other: repeat (each Other).Type
  ) throws -> [(First, repeat each Other)] {
    try reader.connection.fetch(self, columns: valueCount(repeat each other)) { row in
      (try row.value(first), repeat try row.value(each other))
    }
  }

  /// Returns the first row of a result with several columns as a tuple, or `nil` if the result is
  /// empty.
  /// - Throws: The errors of `all(_:as:_:)`.
  @_documentation(visibility: internal)
  public func first<First: ColumnValue, each Other: ColumnValue>(
    _ reader: Reader, as first: First.Type, _ other: repeat (each Other).Type
  ) throws -> (First, repeat each Other)? {
    try reader.connection.fetchOne(self, columns: valueCount(repeat each other)) { row in
      (try row.value(first), repeat try row.value(each other))
    }
  }

  /// Runs the statement, or several statements without values, to completion.
  /// - Returns: The number of rows that the last statement inserted, updated, or deleted.
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses a statement, `constraint` if a
  ///   constraint refuses a change, `invalidValue` if a value cannot be stored.
  @discardableResult
  public func run(_ writer: Writer) throws -> Int { try writer.connection.run(self) }

  /// Returns the number of types, including the first one.
  func valueCount<each Other>(_ other: repeat (each Other).Type) -> Int {
    var count = 1
    for _ in repeat each other { count += 1 }
    return count
  }
}
