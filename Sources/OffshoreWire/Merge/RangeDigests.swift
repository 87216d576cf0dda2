/// The digests of a scope's living rows in each of 256 ranges, which show where two replicas
/// differ.
///
/// A ``Digest`` only shows that they differ. The ranges that differ are requested by
/// ``PullCursor/Position/repair(ranges:head:after:)``.
public struct RangeDigests: Hashable, Sendable {
  /// The sum of each range, modulo 2⁶⁴.
  package private(set) var values = [UInt64](repeating: 0, count: RangeSet.rangeCount)

  /// Creates the digests of no rows.
  package init() {}

  /// Adds a row. A tombstone does not count.
  package mutating func add(_ state: RowState, of row: RowID) {
    if state.isLiving { add(hash: state.hash(of: row), of: row) }
  }

  /// Adds a living row by its ``RowState/hash(of:)``.
  package mutating func add(hash: UInt64, of row: RowID) { values[Int(row.range)] &+= hash }

  /// The digest of the scope, which is the sum of all ranges.
  package var total: Digest { Digest(value: values.reduce(0, &+)) }

  /// Returns the ranges whose sums differ.
  package func ranges(differingFrom other: RangeDigests) -> RangeSet {
    RangeSet((UInt8.min...UInt8.max).filter { values[Int($0)] != other.values[Int($0)] })
  }
}

extension RowID {
  /// The range that the row belongs to: the first byte of the 16-byte BLAKE2b hash of its encoding.
  package var range: UInt8 { BLAKE2b.hash(encoded(), byteCount: 16)[0] }
}

/// The encoding has eight bytes for each of the 256 ranges.
extension RangeDigests: WireCodable {
  package static var leastByteCount: Int { 8 * RangeSet.rangeCount }

  package func encode(into writer: inout WireWriter) {
    for value in values { writer.fixed(value) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init()
    for range in values.indices { values[range] = try reader.fixed() }
  }
}

/// A set of the 256 ranges that the rows of a scope are divided into by a hash of their ids.
public struct RangeSet: Hashable, Sendable {
  /// The number of ranges.
  package static let rangeCount = 256

  /// A bit for each range. Range 0 is the least significant bit of the first number.
  private var bits = SIMD4<UInt64>.zero

  /// Creates an empty set.
  package init() {}

  /// Creates a set of ranges.
  package init(_ ranges: some Sequence<UInt8>) {
    for range in ranges { insert(range) }
  }

  /// The set of all ranges.
  package static let all = RangeSet(UInt8.min...UInt8.max)

  /// Whether the set has no ranges.
  package var isEmpty: Bool { bits == .zero }

  /// The ranges in ascending order.
  package var ranges: [UInt8] { (UInt8.min...UInt8.max).filter(contains) }

  /// Adds a range.
  package mutating func insert(_ range: UInt8) { bits[Int(range >> 6)] |= Self.bit(of: range) }

  /// Returns whether a range is in the set.
  package func contains(_ range: UInt8) -> Bool { bits[Int(range >> 6)] & Self.bit(of: range) != 0 }

  private static func bit(of range: UInt8) -> UInt64 { 1 << UInt64(range & 63) }
}

extension RangeSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral ranges: UInt8...) { self.init(ranges) }
}

/// The encoding has 32 bytes. Range 0 is the least significant bit of the first.
extension RangeSet: WireCodable {
  package static var leastByteCount: Int { rangeCount / 8 }

  package func encode(into writer: inout WireWriter) {
    for index in bits.indices { writer.fixed(bits[index]) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init()
    for index in bits.indices { bits[index] = try reader.fixed() }
  }
}
