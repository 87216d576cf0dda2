import Foundation
import OffshoreJSON

/// The objects of a file with one object on each line (<https://jsonlines.org>).
final class JSONLinesInput {
  /// The bytes of the current line.
  private(set) var bytes: [UInt8] = []
  /// The number of the current line, from 1.
  private(set) var line = 1
  private let input: ByteInput

  init(_ input: ByteInput) { self.input = input }

  /// Reads the next line that is not blank.
  /// - Returns: Whether there is a line.
  func readLine() throws -> Bool {
    repeat {
      guard try input.peek() != nil else { return false }
      bytes.removeAll(keepingCapacity: true)
      line = input.line
      while let byte = try input.peek(), byte != 0x0A {
        try input.consume(into: &bytes, before: 0x0A)
        guard bytes.count <= TransferLimit.rowLength else {
          throw DatabaseError.rowTooLong("Line \(line)", "Write one object on each line.")
        }
      }
      _ = try input.next()
    } while bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    return true
  }

  /// Decodes the current line.
  ///
  /// - Parameter indexes: The index of each column by its name.
  /// - Returns: The value of each column.
  /// - Throws: ``DatabaseError`` with code `invalidValue` that names line and column.
  func values(
    of columns: [TransferColumn], _ indexes: [String: Int]
  ) throws -> [ExactValue] {
    var values = [ExactValue?](repeating: nil, count: columns.count)
    do {
      try bytes.withUnsafeBufferPointer { bytes in
        var scanner = JSONScanner(bytes)
        try scanner.scanObject { scanner, key in
          guard let index = indexes[key] else {
            throw problem("has a key “\(key)” that is not a column", key)
          }
          guard values[index] == nil else { throw problem("has the key “\(key)” twice", key) }
          do {
            values[index] = try Self.value(&scanner, columns[index])
          } catch let misfit as TransferMisfit {
            throw ImportPlace(line: line, column: key).error(misfit)
          }
        }
        try scanner.finish()
      }
    } catch let fault as JSONScanner.Fault {
      throw DatabaseError(.invalidValue, "Line \(line) is not a JSON object: it \(fault.reason).")
    }
    return try zip(columns, values).map { column, value in
      guard let value else { throw problem("lacks the key “\(column.name)”", column.name) }
      return value
    }
  }

  private func problem(_ reason: String, _ key: String) -> DatabaseError {
    var error = DatabaseError(.invalidValue, "Line \(line) \(reason).")
    error.column = key
    return error
  }

  private static func value(
    _ scanner: inout JSONScanner, _ column: TransferColumn
  ) throws -> ExactValue {
    let part = try scanner.scanRawValue()
    switch part.first {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "\""):
      let text = try JSONScanner.decodedString(of: part.dropFirst().dropLast())
      switch column.kind {
      case .text: return column.stored(text: Array(text.utf8))
      case .blob: return try blob(text)
      // SQLite would store some texts in a numeric column as numbers.
      case .integer, .real:
        throw TransferMisfit(expected: "a number", found: "a text of \(text.utf8.count) bytes")
      }
    case UInt8(ascii: "{"): return try marked(part)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard column.kind == .integer else { break }
      return .integer(part.first == UInt8(ascii: "t") ? 1 : 0)
    case UInt8(ascii: "["): break
    default: return try TransferNumber.parse(part, for: column.kind)
    }
    let found = part.first == UInt8(ascii: "[") ? "an array" : "a Boolean"
    throw TransferMisfit(expected: "a text, a number or null", found: found)
  }

  /// Decodes the value of an object that names the type.
  private static func marked(_ part: JSONScanner.Part) throws -> ExactValue {
    var value: ExactValue?
    var scanner = JSONScanner(UnsafeBufferPointer(rebasing: part))
    try scanner.scanObject { scanner, key in
      guard value == nil else { throw JSONScanner.Fault("has an object with several types") }
      let text = try scanner.scanString()
      switch key {
      case "base64": value = try blob(text)
      case "text": value = .text(Array(text.utf8))
      case "real": value = try TransferNumber.parse(Array(text.utf8), for: .real)
      default: break
      }
    }
    guard let value else {
      throw TransferMisfit(expected: "a text, a number or null", found: "an object")
    }
    return value
  }

  private static func blob(_ text: String) throws -> ExactValue {
    try TransferBlob.parse(text)
  }
}

/// BLOBs in files of rows.
enum TransferBlob {
  /// Parses bytes in base64.
  /// - Throws: ``TransferMisfit`` if the text is not base64.
  static func parse(_ text: String) throws -> ExactValue {
    guard let data = Data(base64Encoded: text) else {
      throw TransferMisfit(expected: "base64", found: "a text of \(text.utf8.count) bytes")
    }
    return .blob(Array(data))
  }
}
