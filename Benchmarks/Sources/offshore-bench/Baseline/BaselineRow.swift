import CSQLite
import Foundation

/// The current row of a statement, read with checks of storage class, range, and syntax.
struct BaselineRow {
  let statement: OpaquePointer

  /// Returns a text, validated by the API that the standard library documents. The library's own
  /// codec decodes first and compares bytes, which takes a third of that time.
  @inline(__always)
  func text(_ index: Int32) throws -> String {
    guard let bytes = try textBytes(index), let value = String(validating: bytes, as: UTF8.self)
    else { throw misfit(index) }
    return value
  }

  @inline(__always)
  func optionalText(_ index: Int32) throws -> String? {
    isNull(index) ? nil : try text(index)
  }

  @inline(__always)
  func integer(_ index: Int32) throws -> Int {
    guard sqlite3_column_type(statement, index) == SQLITE_INTEGER,
      let value = Int(exactly: sqlite3_column_int64(statement, index))
    else { throw misfit(index) }
    return value
  }

  @inline(__always)
  func boolean(_ index: Int32) throws -> Bool {
    switch try integer(index) {
    case 0: false
    case 1: true
    default: throw misfit(index)
    }
  }

  @inline(__always)
  func date(_ index: Int32) throws -> Date {
    guard sqlite3_column_type(statement, index) == SQLITE_FLOAT else { throw misfit(index) }
    return Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, index))
  }

  @inline(__always)
  func optionalDate(_ index: Int32) throws -> Date? {
    isNull(index) ? nil : try date(index)
  }

  @inline(__always)
  func uuid(_ index: Int32) throws -> UUID {
    guard let text = try textBytes(index), let value = BaselineHex.uuid(text) else {
      throw misfit(index)
    }
    return value
  }

  @inline(__always)
  private func isNull(_ index: Int32) -> Bool {
    sqlite3_column_type(statement, index) == SQLITE_NULL
  }

  @inline(__always)
  private func textBytes(_ index: Int32) throws -> UnsafeBufferPointer<UInt8>? {
    guard sqlite3_column_type(statement, index) == SQLITE_TEXT else { throw misfit(index) }
    guard let start = sqlite3_column_text(statement, index) else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
  }

  @inline(never)
  private func misfit(_ index: Int32) -> BaselineError {
    BaselineError(code: SQLITE_MISMATCH, column: index)
  }
}
