import CSQLite

@testable import Offshore

/// A codec for the only column of a real table, to test how it stores and loads values.
final class CodecProbe<Codec: ColumnCodec> {
  private let test: TestConnection
  private var connection: Connection { test.connection }

  /// Creates a table whose only column has the codec's own type.
  init(_: Codec.Type = Codec.self) throws {
    test = try TestConnection("CREATE TABLE cells (value \(SQL(raw: Codec.sqlType)))")
  }

  /// Stores a value and returns the column's contents, for example `text 'Alma'`.
  func stored(_ value: Codec.Value) throws -> String {
    try store([value])
    return try connection.texts("SELECT typeof(value) || ' ' || quote(value) FROM cells")[0]
  }

  /// Stores a value and loads it.
  func loaded(_ value: Codec.Value) throws -> Codec.Value { try loaded([value])[0] }

  /// Stores values and loads them in order.
  func loaded(_ values: [Codec.Value]) throws -> [Codec.Value] {
    try store(values)
    return try connection.fetch("SELECT value FROM cells ORDER BY rowid", decode)
  }

  /// Decodes an SQL expression by the codec.
  /// - Throws: the ``Misfit`` that the codec reports.
  func read(_ expression: SQL) throws -> Codec.Value {
    try connection.fetch("SELECT \(expression)", decode)[0]
  }

  /// Returns the codec's error for an SQL expression, or `nil` if the codec reads it.
  func misfit(_ expression: SQL) throws -> Misfit? {
    do {
      _ = try read(expression)
      return nil
    } catch let misfit as Misfit {
      return misfit
    }
  }

  /// Returns the reason why the codec does not bind a value, or `nil` if it does.
  func refusal(_ value: Codec.Value) -> String? {
    var writer = RowWriter(nil)
    Codec.bind(value, &writer, 1)
    return writer.failure?.expected
  }

  /// Stores values by binding them to a statement, and checks that a query argument is the same.
  private func store(_ values: [Codec.Value]) throws {
    try connection.write { writer in
      try writer.run("DELETE FROM cells")
      let (statement, _) = try connection.statement("INSERT INTO cells (value) VALUES (?)")
      for value in values { try insert(value, statement) }
      guard let last = values.last else { return }
      let isSame: SQL = "SELECT value IS \(SQL(binding: last, as: Codec.self)) FROM cells"
      guard try writer.integers("\(isSame) ORDER BY rowid DESC LIMIT 1") == [1] else {
        throw Misfit(expected: "a query argument equal to the stored value", found: "another")
      }
    }
  }

  private func insert(_ value: Codec.Value, _ statement: Statement) throws {
    try connection.use(statement) {
      var row = RowWriter(statement.pointer)
      withUnsafePointer(to: value) { Codec.bind(at: $0, &row, 1) }
      if let failure = row.failure { throw Misfit(failure) }
      guard sqlite3_step(statement.pointer) == SQLITE_DONE else {
        throw connection.failure(SQLITE_ERROR, statement)
      }
    }
  }

  private func decode(_ row: inout RowReader) throws -> Codec.Value {
    defer { row.failure = nil }
    let value = row.next(Codec.self)
    if let failure = row.failure { throw Misfit(failure) }
    return value
  }
}

/// The value that a codec expected and the one that it found.
struct Misfit: Error, Equatable {
  let expected: String
  let found: String

  init(expected: String, found: String) {
    self.expected = expected
    self.found = found
  }

  init(_ failure: ColumnFailure) { self.init(expected: failure.expected, found: failure.found) }
}
