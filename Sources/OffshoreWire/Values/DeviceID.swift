public import Foundation

/// The id of a device: 16 bytes that the device chose at random when its file was created.
public struct DeviceID: Hashable, Sendable {
  /// The first eight bytes, the most significant one first.
  let high: UInt64
  /// The last eight bytes.
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The device of a value that a merge rule computed and that no device wrote.
  static let mergeRule = DeviceID(high: 0, low: 0)
  /// The device of rows that the server writes itself.
  package static let server = DeviceID(high: 0, low: 1)

  /// Creates the id with the bytes of a UUID.
  public init(_ uuid: UUID) {
    let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The UUID with the same bytes.
  public var uuid: UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { memory in
      memory.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
      memory.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: bytes)
  }
}

extension DeviceID: Comparable {
  /// Returns whether the bytes of one id come before those of the other.
  public static func < (left: DeviceID, right: DeviceID) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

extension DeviceID: CustomStringConvertible {
  /// The UUID as text.
  public var description: String { uuid.uuidString }
}

/// The encoding has the 16 bytes.
extension DeviceID: WireCodable {
  package static var leastByteCount: Int { 16 }

  package func encode(into writer: inout WireWriter) {
    writer.fixed(high.byteSwapped)
    writer.fixed(low.byteSwapped)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(high: try reader.fixed().byteSwapped, low: try reader.fixed().byteSwapped)
  }
}

/// The encoding has the 16 bytes.
extension UUID: WireCodable {
  package static var leastByteCount: Int { DeviceID.leastByteCount }

  package func encode(into writer: inout WireWriter) { DeviceID(self).encode(into: &writer) }

  package init(from reader: inout WireReader) throws(WireError) {
    self = try DeviceID(from: &reader).uuid
  }
}
