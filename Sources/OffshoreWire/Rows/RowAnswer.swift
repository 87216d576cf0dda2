import OffshoreJSON

/// A row in an answer to a client without a copy of the data, with its values as JSON.
///
/// Members that are unknown here are ignored, so that a newer server may add some.
package struct RowAnswer: Hashable, Sendable {
  /// The validator of the row's content, with its quotes.
  package let entityTag: String
  /// The row's id.
  package let id: String
  /// The row's scope.
  package let scope: ScopeID
  /// The values by column, which ``ValueText`` parses.
  package let values: [String: [UInt8]]

  /// Parses a row, for example
  /// `{"etag":"\"…\"","id":"3","scope":"list/7","values":{"title":"Tea"}}`.
  /// - Throws: `WireError` with the code `malformed`.
  package init(_ json: [UInt8]) throws(WireError) { self = try json.parsed { try RowAnswer(&$0) } }

  fileprivate init(_ scanner: inout JSONScanner) throws {
    var texts: [String: String] = [:]
    var found: [String: [UInt8]]?
    try scanner.scanObject { scanner, key in
      switch key {
      case "etag", "id", "scope": texts[key] = try scanner.scanString()
      case "values": found = try Self.values(&scanner)
      default: _ = try scanner.scanRawValue()
      }
    }
    guard let entityTag = texts["etag"], let id = texts["id"], let scope = texts["scope"],
      let values = found
    else { throw JSONScanner.Fault("lacks a member of a row") }
    (self.entityTag, self.id, self.values) = (entityTag, id, values)
    self.scope = try ScopeID(scope)
  }

  private static func values(_ scanner: inout JSONScanner) throws -> [String: [UInt8]] {
    var values: [String: [UInt8]] = [:]
    try scanner.scanObject { values[$1] = Array(try $0.scanRawValue()) }
    return values
  }
}

/// A page of rows in an answer to a client without a copy of the data.
package struct RowsAnswer: Hashable, Sendable {
  /// The rows, in the order of their scopes and ids.
  package let rows: [RowAnswer]
  /// The place after which the next page begins, or `nil` if the page is the last one.
  package let next: String?

  /// Parses a page, for example `{"next":"list/7/3","rows":[…]}`.
  /// - Throws: `WireError` with the code `malformed`.
  package init(_ json: [UInt8]) throws(WireError) { self = try json.parsed { try RowsAnswer(&$0) } }

  private init(_ scanner: inout JSONScanner) throws {
    var found: [RowAnswer]?
    var place: String?
    try scanner.scanObject { scanner, key in
      switch key {
      case "next": place = try scanner.scanNull() ? nil : scanner.scanString()
      case "rows":
        var rows: [RowAnswer] = []
        try scanner.scanArray { rows.append(try RowAnswer(&$0)) }
        found = rows
      default: _ = try scanner.scanRawValue()
      }
    }
    guard let rows = found else { throw JSONScanner.Fault("lacks its rows") }
    (self.rows, next) = (rows, place)
  }
}

extension [UInt8] {
  /// Parses the bytes as one JSON value.
  /// - Throws: `WireError` with the code `malformed`, which names no value.
  fileprivate func parsed<Value>(
    _ parse: (inout JSONScanner) throws -> Value
  ) throws(WireError) -> Value {
    do {
      return try withUnsafeBufferPointer { bytes in
        var scanner = JSONScanner(bytes)
        let value = try parse(&scanner)
        try scanner.finish()
        return value
      }
    } catch let fault as JSONScanner.Fault {
      throw WireError(.malformed, "The answer \(fault.reason).")
    } catch {
      throw WireError(.malformed, "The answer has a scope that is not one.")
    }
  }
}
