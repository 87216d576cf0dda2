public import Foundation

/// Edits of one device in one scope, which are applied together or not at all.
///
/// Once a batch was sent, it does not change until it is answered.
public struct Batch: Hashable, Sendable {
  /// The scope of the rows.
  public let scope: ScopeID
  /// The number of the batch: 1 for a device's first batch in a scope, and one more for each later
  /// one.
  public let number: Int64
  /// The id of the batch in logs and stored results.
  public let id: UUID
  /// The hash of the scope, the number and the ops.
  ///
  /// A server stores it. The same number with another hash comes from a copy of the device's file.
  public let hash: ContentHash
  /// The edits, in the order in which they were made.
  public let ops: [Op]

  /// Creates a batch and computes its hash.
  public init(_ scope: ScopeID, number: Int64, id: UUID, ops: [Op]) {
    self.scope = scope
    self.number = number
    self.id = id
    self.ops = ops
    hash = Self.hash(scope, number, ops)
  }

  /// Whether the hash matches the content. It may not for a batch that was parsed.
  public var isIntact: Bool { hash == Self.hash(scope, number, ops) }

  private static func hash(_ scope: ScopeID, _ number: Int64, _ ops: [Op]) -> ContentHash {
    var writer = WireWriter(capacity: 128 * ops.count)
    writer.value(scope)
    writer.signed(number)
    writer.list(ops)
    return ContentHash(of: writer.bytes)
  }
}

/// The encoding has the scope, the number, the id, the hash, then the ops.
extension Batch: WireCodable {
  public static var leastByteCount: Int { 54 }

  public func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.signed(number)
    writer.value(id)
    writer.value(hash)
    writer.list(ops)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    scope = try reader.value()
    number = try reader.counted()
    id = try reader.value()
    hash = try reader.value()
    ops = try reader.list()
  }
}
