import CSQLite
import Foundation

/// The parameters of a statement, bound with a check of every result code.
struct BaselineParameters {
  let statement: OpaquePointer

  @inline(__always)
  func bind(_ value: UUID, _ index: Int32) throws {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
      BaselineHex.write(value, to: text)
      try bind(UnsafeBufferPointer(text), index)
    }
  }

  @inline(__always)
  func bind(_ value: String, _ index: Int32) throws {
    var value = value
    try value.withUTF8 { try bind($0, index) }
  }

  @inline(__always)
  func bind(_ value: String?, _ index: Int32) throws {
    if let value { try bind(value, index) } else { try bindNull(index) }
  }

  @inline(__always)
  func bind(_ value: Date, _ index: Int32) throws {
    let seconds = value.timeIntervalSinceReferenceDate
    guard !seconds.isNaN else { throw BaselineError(code: SQLITE_MISMATCH, column: index) }
    try check(sqlite3_bind_double(statement, index, seconds), index)
  }

  @inline(__always)
  func bind(_ value: Date?, _ index: Int32) throws {
    if let value { try bind(value, index) } else { try bindNull(index) }
  }

  @inline(__always)
  func bind(_ value: Int, _ index: Int32) throws {
    try check(sqlite3_bind_int64(statement, index, Int64(value)), index)
  }

  @inline(__always)
  func bind(_ value: Bool, _ index: Int32) throws {
    try check(sqlite3_bind_int64(statement, index, value ? 1 : 0), index)
  }

  @inline(__always)
  private func bindNull(_ index: Int32) throws {
    try check(sqlite3_bind_null(statement, index), index)
  }

  @inline(__always)
  private func bind(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int32) throws {
    guard let count = Int32(exactly: bytes.count) else {
      throw BaselineError(code: SQLITE_TOOBIG, column: index)
    }
    let code =
      if let start = bytes.baseAddress {
        start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          offshore_sqlite3_bind_text_copy(statement, index, $0, count)
        }
      } else {
        offshore_sqlite3_bind_text_copy(statement, index, "", 0)
      }
    try check(code, index)
  }

  @inline(__always)
  private func check(_ code: Int32, _ index: Int32) throws {
    guard code == SQLITE_OK else { throw BaselineError(code: code, column: index) }
  }
}
