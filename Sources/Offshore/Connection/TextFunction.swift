import CSQLite

/// A function of SQL that computes a text from texts.
private final class TextFunction {
  let name: String
  let body: ([String]) -> String

  init(_ name: String, _ body: @escaping ([String]) -> String) {
    (self.name, self.body) = (name, body)
  }

  func call(_ context: OpaquePointer, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
    var texts: [String] = []
    for argument in arguments {
      switch sqlite3_value_type(argument) {
      case SQLITE_NULL: return sqlite3_result_null(context)
      case SQLITE_TEXT, SQLITE_INTEGER:
        // NB: The text comes before its length, which is that of the converted value.
        guard let bytes = sqlite3_value_text(argument) else {
          return sqlite3_result_error_nomem(context)
        }
        let count = Int(sqlite3_value_bytes(argument))
        texts.append(
          String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
      default:
        return sqlite3_result_error(
          context, "\(name) takes texts and integers. Convert the value.", -1)
      }
    }
    var result = body(texts)
    result.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        offshore_sqlite3_result_text_copy(context, $0.baseAddress, Int32($0.count))
      }
    }
  }
}

extension Connection {
  /// Adds a function to SQL on this connection, with any number of arguments.
  ///
  /// Arguments are texts and integers; of integers, the function receives the decimal digits. The
  /// result is NULL if an argument is, and an error for other values.
  /// - Parameters:
  ///   - name: the name of the function.
  ///   - body: returns the same text each time for the same arguments.
  /// - Throws: ``DatabaseError``.
  package func addTextFunction(
    named name: String, _ body: @escaping @Sendable ([String]) -> String
  ) throws {
    let function = Unmanaged.passRetained(TextFunction(name, body))
    // NB: If this fails, SQLite releases the function, too.
    let code = sqlite3_create_function_v2(
      handle, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, function.toOpaque(),
      { context, count, arguments in
        guard let context, let data = sqlite3_user_data(context) else { return }
        Unmanaged<TextFunction>.fromOpaque(data).takeUnretainedValue()
          .call(context, UnsafeBufferPointer(start: arguments, count: Int(count)))
      }, nil, nil, { data in if let data { Unmanaged<TextFunction>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw DatabaseError.sqlite(code, handle) }
  }
}
