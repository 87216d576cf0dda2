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
  /// A random id, which stays when the device numbers the batch again.
  ///
  /// A server applies a batch of a device once, under whatever number it arrives, and refuses
  /// another batch with the same id.
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
  package var isIntact: Bool { hash == Self.hash(scope, number, ops) }

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
  package static var leastByteCount: Int { 54 }

  package func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.signed(number)
    writer.value(id)
    writer.value(hash)
    writer.list(ops)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    scope = try reader.value()
    number = try reader.ordinal()
    id = try reader.value()
    hash = try reader.value()
    ops = try reader.list()
  }
}

/// The final result of a batch, which a pull repeats because the answer to the push may be lost.
public struct DecidedBatch: Hashable, Sendable {
  /// The number of the batch.
  public let number: Int64
  /// The hash of the batch. If the device's batch has another, a copy of its file has sent this
  /// one.
  public let hash: ContentHash
  /// Whether the batch was applied, in which case pulled pages have its changes. Otherwise it was
  /// rejected.
  public let isApplied: Bool

  /// Creates the result of a batch.
  package init(number: Int64, hash: ContentHash, isApplied: Bool) {
    self.number = number
    self.hash = hash
    self.isApplied = isApplied
  }
}

/// The encoding has the number, the hash, then whether the batch was applied.
extension DecidedBatch: WireCodable {
  package static var leastByteCount: Int { 2 + ContentHash.byteCount }

  package func encode(into writer: inout WireWriter) {
    writer.signed(number)
    writer.value(hash)
    writer.flag(isApplied)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      number: try reader.ordinal(), hash: try reader.value(), isApplied: try reader.flag())
  }
}
