import Foundation
import OffshoreJSON

/// A file format for exported and imported rows.
@_documentation(visibility: internal)
public enum TableFormat: Sendable {
  /// A JSON object on a separate line for each row, with the names of the columns as keys.
  ///
  /// Integers have all their digits, reals have a point or an exponent, and BLOBs are in base64.
  /// Infinity is `{"real":"Infinity"}`. If the codec of a column accepts values of another kind
  /// than the column's, these are marked: a BLOB in a column of numbers or texts as
  /// `{"base64":"…"}`, a text in a column of numbers or BLOBs as `{"text":"…"}`. See
  /// <https://jsonlines.org>.
  case jsonLines
  /// Comma-separated values with a header, as specified by RFC 4180.
  ///
  /// NULL is an empty value; an empty text is in quotes, `""`. BLOBs are in base64. Each value
  /// must have the kind of its column (number, text or BLOB); another cannot be written. See
  /// <https://www.rfc-editor.org/rfc/rfc4180>.
  case csv
}

/// The treatment of imported rows whose primary key already exists in the table.
@_documentation(visibility: internal)
public enum ExistingRows: Sendable {
  /// The import fails with code `constraint`.
  case refuse
  /// The imported row replaces the values of the existing one, to which other rows may refer.
  case replace
}

/// The limits for a file of rows.
enum TransferLimit {
  /// The maximum number of bytes that a row may have in the file.
  static let rowLength = 64 << 20
}

extension DatabaseError {
  /// Returns the error of a row that is longer than the limit.
  static func rowTooLong(_ place: String, _ remedy: String) -> DatabaseError {
    DatabaseError(
      .invalidValue, "\(place) is longer than \(TransferLimit.rowLength >> 20) MiB. \(remedy)")
  }
}

/// A column of a table in a file of rows.
struct TransferColumn {
  /// The storage class of a column's values other than NULL.
  enum Kind { case integer, real, text, blob }

  let name: String
  let kind: Kind
  let isNullable: Bool
  /// Whether values are UUIDs as text, which are stored in uppercase.
  let isUUID: Bool
  /// The name as a key in JSON, with its quotes and a colon.
  let key: [UInt8]

  init<Row>(_ plan: TablePlan<Row>, _ index: Int) {
    let lookup = plan.lookups[index]
    name = lookup.definition.name
    isNullable = lookup.definition.isNullable
    key = Array((JSONEscapes.quoted(name) + ":").utf8)
    isUUID =
      lookup.coder.coder(of: UUID.self)?.storage == ObjectIdentifier(UUIDText.self)
      || lookup.coder.coder(of: UUID?.self)?.storage == ObjectIdentifier(UUIDText.self)
    // The declared type may be any that a schema of another program has, so the kind is that of a
    // sample.
    var writer = RowWriter(nil)
    lookup.encode(plan.makeSample(index), &writer, 1)
    kind =
      switch writer.collected.first {
      case .integer: .integer
      case .real: .real
      case .blob: .blob
      case .text, .null, nil: .text
      }
  }

  /// Returns the columns of a table in declared order.
  static func all<Row>(of table: Table<Row>) -> [TransferColumn] {
    table.columns.indices.map { TransferColumn(table.plan, $0) }
  }

  /// Returns the stored form of a text in a file.
  func stored(text: [UInt8]) -> ExactValue {
    guard isUUID, text.count == 36 else { return .text(text) }
    return .text(text.map { (97...122).contains($0) ? $0 - 32 : $0 })
  }
}

/// A value of a file that does not fit its column.
struct TransferMisfit: Error {
  let expected: String
  let found: String
}

/// Numbers in files of rows.
enum TransferNumber {
  static let infinity = "Infinity"

  /// Returns the text of a real, from which the same bits can be parsed. It has a point or an
  /// exponent, unless it is infinite.
  static func text(_ value: Double) -> String {
    value.isInfinite ? (value < 0 ? "-" : "") + infinity : value.description
  }

  /// Parses a number.
  /// - Throws: ``TransferMisfit`` if the text is not a number, or is one that cannot be stored.
  static func parse<Bytes: Collection<UInt8>>(
    _ bytes: Bytes, for kind: TransferColumn.Kind
  ) throws -> ExactValue {
    let text = String(decoding: bytes, as: UTF8.self)
    if text == infinity { return .real(.infinity) }
    if text == "-" + infinity { return .real(-.infinity) }
    let isReal = bytes.contains {
      [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0)
    }
    if !isReal, isInteger(bytes), let value = Int64(text) { return .integer(value) }
    if !isReal, isInteger(bytes), kind == .integer {
      throw TransferMisfit(expected: "an integer of 64 bits", found: "one of \(bytes.count) digits")
    }
    guard bytes.allSatisfy(isPart), let value = Double(text), value.isFinite else {
      throw TransferMisfit(expected: "a number", found: "a text of \(bytes.count) bytes")
    }
    return .real(value)
  }

  private static func isInteger<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bool {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    return !digits.isEmpty && digits.allSatisfy { (48...57).contains($0) }
  }

  /// Returns whether a byte may be in a number. `Double` also parses other texts, such as "nan".
  private static func isPart(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}
