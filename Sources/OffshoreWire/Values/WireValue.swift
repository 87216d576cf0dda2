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

extension WireValue {
  /// Returns whether this value comes before another in a total order of all values.
  ///
  /// The order is SQLite's, made total: NULL, then numbers by value, then texts, then BLOBs, both
  /// by their bytes. An integer comes before the real of the same value, and `-0.0` before `0.0`.
  /// NaNs come before all other numbers, ordered by their bits.
  public func isOrdered(before other: WireValue) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
      left.lexicographicallyPrecedes(right)
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): Self.isOrdered(left, before: right)
    case (.integer(let left), .real(let right)): !right.isNaN && Self.compare(left, right) <= 0
    case (.real(let left), .integer(let right)): left.isNaN || Self.compare(right, left) > 0
    default: rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func isOrdered(_ left: Double, before right: Double) -> Bool {
    if left.isNaN && right.isNaN { return left.bitPattern < right.bitPattern }
    if left.isNaN || right.isNaN { return left.isNaN }
    if left == right { return left.sign == .minus && right.sign == .plus }
    return left < right
  }

  /// Returns a number below, equal to or above 0 if the integer is below, equal to or above the
  /// real.
  /// - Precondition: The real is not NaN.
  private static func compare(_ integer: Int64, _ real: Double) -> Int {
    // NB: Converting the integer to a real would round it beyond 2⁵³.
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real.rounded(.down))
    if integer != whole { return integer < whole ? -1 : 1 }
    return real > real.rounded(.down) ? -1 : 0
  }
}

extension WireValue {
  /// Returns the amount that turns another value of a counter into this one, with NULL as 0, or
  /// `nil` if one of them is not an integer.
  package func increment(from old: WireValue) -> WireValue? {
    switch (old, self) {
    case (.integer(let old), .integer(let new)): .integer(new &- old)
    case (.null, .integer(let new)): .integer(new)
    case (.integer(let old), .null): .integer(0 &- old)
    default: nil
    }
  }
}

/// The encoding has a tag, then the content.
extension WireValue: WireCodable {
  /// The tags of values. 0 stands for a missing value.
  enum Tag: UInt8 {
    case null = 1
    case integer, real, text, blob
  }

  /// The tag that is encoded before the content.
  var tag: Tag {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  package func encode(into writer: inout WireWriter) {
    writer.byte(tag.rawValue)
    encodeContent(into: &writer)
  }

  func encodeContent(into writer: inout WireWriter) {
    switch self {
    case .null: break
    case .integer(let value): writer.signed(value)
    case .real(let value): writer.real(value)
    case .text(let bytes), .blob(let bytes): writer.block(bytes)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    guard let tag = Tag(rawValue: try reader.byte()) else {
      throw reader.malformed("A value is of no known kind.")
    }
    try self.init(tag, from: &reader)
  }

  init(_ tag: Tag, from reader: inout WireReader) throws(WireError) {
    switch tag {
    case .null: self = .null
    case .integer: self = .integer(try reader.signed())
    case .real: self = .real(try reader.real())
    case .text: self = .text(try reader.block())
    case .blob: self = .blob(try reader.block())
    }
  }
}
