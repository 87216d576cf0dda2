/// What the living rows of a scope add up to in each of 256 ranges, which tells where two replicas differ.
///
/// A ``Digest`` says only that they do. The ranges that differ are asked for by
/// ``PullCursor/Position/repair(ranges:head:after:)``.
public struct RangeDigests: Hashable, Sendable {
  /// The sum of each range, modulo 2⁶⁴.
  public private(set) var values = [UInt64](repeating: 0, count: RangeSet.rangeCount)

  /// The sums of no rows.
  public init() {}

  /// Adds a row. One that is not there does not count.
  public mutating func add(_ state: RowState, of row: RowID) {
    if state.isLiving { add(hash: state.hash(of: row), of: row) }
  }

  /// Adds a living row whose ``RowState/hash(of:)`` is known.
  public mutating func add(hash: UInt64, of row: RowID) { values[Int(row.range)] &+= hash }

  /// The sum of all ranges, which is that of the scope.
  public var total: Digest { Digest(value: values.reduce(0, &+)) }

  /// The ranges whose sums are others.
  public func ranges(differingFrom other: RangeDigests) -> RangeSet {
    RangeSet((UInt8.min...UInt8.max).filter { values[Int($0)] != other.values[Int($0)] })
  }
}

extension RowID {
  /// The range that the row falls into: the first byte of the BLAKE2b hash, 16 bytes long, of what
  /// ``encode(into:)`` writes.
  public var range: UInt8 { BLAKE2b.hash(encoded(), byteCount: 16)[0] }
}

/// 256 times eight bytes.
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
