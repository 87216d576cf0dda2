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
/// ``Fetchable/explain(_:)`` does. A value that cannot be stored makes the statement throw ``DatabaseError`` when it runs. The
/// `description` is the text; the bound values, in `arguments`, may be personal data.
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
