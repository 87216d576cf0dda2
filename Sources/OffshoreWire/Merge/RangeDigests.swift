/// The digests of a scope's living rows in each of 256 ranges, which show where two replicas
/// differ.
///
/// A ``Digest`` only shows that they differ. The ranges that differ are requested by
/// ``PullCursor/Position/repair(ranges:head:after:)``.
public struct RangeDigests: Hashable, Sendable {
  /// The sum of each range, modulo 2⁶⁴.
  public private(set) var values = [UInt64](repeating: 0, count: RangeSet.rangeCount)

  /// Creates the digests of no rows.
  public init() {}

  /// Adds a row. A tombstone does not count.
  public mutating func add(_ state: RowState, of row: RowID) {
    if state.isLiving { add(hash: state.hash(of: row), of: row) }
  }

  /// Adds a living row by its ``RowState/hash(of:)``.
  public mutating func add(hash: UInt64, of row: RowID) { values[Int(row.range)] &+= hash }

  /// The digest of the scope, which is the sum of all ranges.
  public var total: Digest { Digest(value: values.reduce(0, &+)) }

  /// Returns the ranges whose sums differ.
  public func ranges(differingFrom other: RangeDigests) -> RangeSet {
    RangeSet((UInt8.min...UInt8.max).filter { values[Int($0)] != other.values[Int($0)] })
  }
}

extension RowID {
  /// The range that the row belongs to: the first byte of the 16-byte BLAKE2b hash of its encoding.
  public var range: UInt8 { BLAKE2b.hash(encoded(), byteCount: 16)[0] }
}

/// The encoding has eight bytes for each of the 256 ranges.
extension RangeDigests: WireCodable {
  public static var leastByteCount: Int { 8 * RangeSet.rangeCount }

  public func encode(into writer: inout WireWriter) {
    for value in values { writer.fixed(value) }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init()
    for range in values.indices { values[range] = try reader.fixed() }
  }
}
