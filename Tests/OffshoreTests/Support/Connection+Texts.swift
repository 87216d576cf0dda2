@testable import Offshore

extension Connection {
  /// The first column of each row of a query, as text.
  func texts(_ sql: SQL) throws -> [String] {
    try fetch(sql) { try $0.value(String.self) }
  }

  /// Runs statements in a write of their own.
  func change(_ sql: SQL) throws {
    try write { writer in _ = try writer.connection.run(sql) }
  }

  /// The first column of the first row of a query, as a number.
  func number(_ sql: SQL) throws -> Int? {
    try fetch(sql) { try $0.value(Int.self) }.first
  }
}

/// The database error that a closure throws.
func databaseError(_ body: () throws -> Void) -> DatabaseError? {
  do {
    try body()
    return nil
  } catch {
    return error as? DatabaseError
  }
}
