/// A set of the 256 ranges that the rows of a scope are divided into; see ``RowID/range``.
public struct RangeSet: Hashable, Sendable {
  /// The number of ranges.
  public static let rangeCount = 256

  /// A bit for each range. Range 0 is the least significant bit of the first number.
  private var bits = SIMD4<UInt64>.zero

  /// Creates an empty set.
  public init() {}

  /// Creates a set of ranges.
  public init(_ ranges: some Sequence<UInt8>) {
    for range in ranges { insert(range) }
  }

  /// The set of all ranges.
  public static let all = RangeSet(UInt8.min...UInt8.max)

  /// Whether the set has no ranges.
  public var isEmpty: Bool { bits == .zero }

  /// The ranges in ascending order.
  public var ranges: [UInt8] { (UInt8.min...UInt8.max).filter(contains) }

  /// Adds a range.
  public mutating func insert(_ range: UInt8) { bits[Int(range >> 6)] |= Self.bit(of: range) }

  /// Returns whether a range is in the set.
  public func contains(_ range: UInt8) -> Bool { bits[Int(range >> 6)] & Self.bit(of: range) != 0 }

  private static func bit(of range: UInt8) -> UInt64 { 1 << UInt64(range & 63) }
}

extension RangeSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral ranges: UInt8...) { self.init(ranges) }
}

/// The encoding has 32 bytes. Range 0 is the least significant bit of the first.
extension RangeSet: WireCodable {
  public static var leastByteCount: Int { rangeCount / 8 }

  public func encode(into writer: inout WireWriter) {
    for index in bits.indices { writer.fixed(bits[index]) }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init()
    for index in bits.indices { bits[index] = try reader.fixed() }
  }
}
