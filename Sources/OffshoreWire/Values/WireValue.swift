/// A value of a column as it is stored, bit for bit.
///
/// The cases are SQLite's storage classes (<https://sqlite.org/datatype3.html>). Two values are
/// equal if their bits are: `-0.0` does not equal `0.0`, a NaN equals the same NaN, and the text
/// `"1"` does not equal the integer 1.
public enum WireValue: Sendable {
  /// The absence of a value.
  case null
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A 64-bit IEEE 754 number.
  case real(Double)
  /// The bytes of a text. As in SQLite, they are not checked to be UTF-8.
  case text([UInt8])
  /// Bytes that are not a text.
  case blob([UInt8])

  /// Creates a text, stored as UTF-8.
  public init(_ text: String) { self = .text(Array(text.utf8)) }

  /// The text, or `nil` if the value is not a text or not UTF-8.
  public var string: String? {
    guard case .text(let bytes) = self else { return nil }
    return bytes.withUnsafeBufferPointer { String(utf8: $0) }
  }

  /// Whether the value is NULL.
  public var isNull: Bool {
    guard case .null = self else { return false }
    return true
  }

  /// The number of bytes of the content: 0 for NULL and 8 for a number.
  public var byteCount: Int {
    switch self {
    case .null: 0
    case .integer, .real: 8
    case .text(let bytes), .blob(let bytes): bytes.count
    }
  }
}

extension WireValue: Hashable {
  public static func == (left: WireValue, right: WireValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .text(let bytes), .blob(let bytes): hasher.combine(bytes)
    }
  }
}

extension WireValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral
{
  public init(stringLiteral text: String) { self.init(text) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension WireValue: CustomStringConvertible {
  /// The kind of the value and its size. The value itself is the user's and is not shown.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real"
    case .text(let bytes): "a text of \(bytes.count) bytes"
    case .blob(let bytes): "a BLOB of \(bytes.count) bytes"
    }
  }
}
