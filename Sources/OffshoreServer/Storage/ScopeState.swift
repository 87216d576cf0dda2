package import Foundation
package import OffshoreWire

/// The state of a scope, without its rows.
package struct ScopeState: Hashable, Sendable {
  /// The sequence number of the last change, or 0 before the first.
  package var head: Int64
  /// The sequence number up to which tombstones may have been removed.
  package var minSeq: Int64
  /// The sum of the hashes of all rows at ``head``.
  package var digest: Digest
  /// The number of conflicts that the scope has had, which is the number of the last one.
  package var conflicts: Int64
  /// The epoch of the data; see ``StorageTransaction/beginEpoch(_:)``.
  package var epoch: UInt64
  /// The rows at ``head``, without tombstones.
  package var usage: StorageUsage
  /// The account that the rows count for: the first owner that wrote to the scope. `nil` before
  /// that.
  package var payer: AccountID?

  /// Creates the state of a scope, by default that of one without rows.
  package init(
    head: Int64 = 0, minSeq: Int64 = 0, digest: Digest = Digest(), conflicts: Int64 = 0,
    epoch: UInt64, usage: StorageUsage = StorageUsage(), payer: AccountID? = nil
  ) {
    self.head = head
    self.minSeq = minSeq
    self.digest = digest
    self.conflicts = conflicts
    self.epoch = epoch
    self.usage = usage
    self.payer = payer
  }

  /// Records that the state of a row is replaced, under the next sequence number.
  /// - Returns: the sequence number.
  mutating func replace(_ old: RowState, with new: RowState, of row: RowID) -> Int64 {
    digest.replace(old, with: new, of: row)
    return count(old, old.byteCount, replacedBy: new, new.byteCount)
  }

  /// Does the same without the digest.
  /// - Parameters:
  ///   - old: the former state, or `nil` for an unknown row.
  ///   - oldBytes: the bytes of its fields.
  ///   - new: the next state.
  ///   - newBytes: the bytes of its fields.
  /// - Returns: the sequence number.
  mutating func count(
    _ old: RowState?, _ oldBytes: Int, replacedBy new: RowState, _ newBytes: Int
  ) -> Int64 {
    head += 1
    usage.rows += (new.isLiving ? 1 : 0) - (old?.isLiving == true ? 1 : 0)
    usage.bytes += Int64(newBytes - oldBytes)
    return head
  }

  /// Records that the state of a row is replaced that counts for no account.
  /// - Returns: the sequence number.
  mutating func advance(_ old: RowState?, to new: RowState, of row: RowID) -> Int64 {
    head += 1
    digest.replace(old, with: new, of: row)
    return head
  }
}

/// The number of living rows, and the bytes of their fields.
///
/// The bytes are counted like `WireLimits.rowBytes`.
package struct StorageUsage: Hashable, Sendable {
  /// The number of rows.
  package var rows: Int64
  /// The bytes of the rows' fields.
  package var bytes: Int64

  /// Creates a number of rows and bytes, by default of none.
  package init(rows: Int64 = 0, bytes: Int64 = 0) { (self.rows, self.bytes) = (rows, bytes) }

  /// Returns the sum of two numbers of rows and bytes.
  package static func + (left: Self, right: Self) -> Self {
    Self(rows: left.rows + right.rows, bytes: left.bytes + right.bytes)
  }

  static func - (left: Self, right: Self) -> Self {
    Self(rows: left.rows - right.rows, bytes: left.bytes - right.bytes)
  }
}

/// Consecutive rows of a scope.
package struct RowRun: Hashable, Sendable {
  /// The rows.
  package let rows: [StoredRow]
  /// Whether reading stopped at the limit of rows or bytes, so that more rows may follow.
  package let isCut: Bool

  /// Creates a run of rows.
  package init(_ rows: [StoredRow], isCut: Bool) {
    self.rows = rows
    self.isCut = isCut
  }
}

/// The state of a device in one scope.
package struct StoredDevice: Hashable, Sendable {
  /// The account that was the first to push under the name of the device, and the only one that
  /// may.
  ///
  /// `nil` before the first push, and for a device that was stored before accounts were recorded.
  package var account: AccountID?
  /// The number of the last batch with a final result, or 0 before the first.
  package var lastNumber: Int64
  /// The sequence number up to which the device has committed all changes.
  package var acknowledged: Int64
  /// Whether a batch of the device was rejected, so that later batches may depend on it.
  package var hasRefusals: Bool
  /// The number of refused ops that were stored since the account could last write.
  package var forbiddenOps: Int64

  /// Creates the state of a device, by default that of an unknown one.
  package init(
    account: AccountID? = nil, lastNumber: Int64 = 0, acknowledged: Int64 = 0,
    hasRefusals: Bool = false, forbiddenOps: Int64 = 0
  ) {
    self.account = account
    self.lastNumber = lastNumber
    self.acknowledged = acknowledged
    self.hasRefusals = hasRefusals
    self.forbiddenOps = forbiddenOps
  }
}

/// The final result of a batch, stored to repeat it if the batch arrives again.
package struct StoredResult: Hashable, Sendable {
  /// The id of the batch, by which it is recognized under another number. `nil` for a batch that
  /// was stored before ids were, or whose id belongs to another batch.
  package let id: UUID?
  /// The hash of the batch.
  package let hash: ContentHash
  /// The outcome: applied or rejected, without the current row of a rejection.
  package let outcome: BatchResult.Outcome
  /// The server's clock when the batch was answered, in milliseconds since 1970.
  package let time: Int64

  var isApplied: Bool { if case .applied = outcome { true } else { false } }

  /// Creates a result.
  package init(
    id: UUID? = nil, hash: ContentHash, outcome: BatchResult.Outcome, time: Int64 = 0
  ) {
    self.id = id
    self.hash = hash
    self.outcome = outcome
    self.time = time
  }
}

/// A device in a scope to which it has pushed.
package struct BatchSender: Hashable, Sendable {
  /// The scope.
  package let scope: ScopeID
  /// The device.
  package let device: DeviceID

  /// Creates the place of a device.
  package init(_ scope: ScopeID, _ device: DeviceID) {
    (self.scope, self.device) = (scope, device)
  }
}

/// An op of a rejected batch, stored to recognize later ops that depend on it.
package struct Refusal: Hashable, Sendable {
  /// The row.
  package let row: RowID
  /// The generation of the row that the op was for.
  package let generation: Int64
  /// Whether the op would have inserted the row.
  package let isInsertion: Bool
  /// The stamp of the op, made by the device.
  package let stamp: Stamp

  /// Creates a record of an op.
  package init(_ op: Op) {
    self.init(op.row, generation: op.generation, isInsertion: op.kind == .put, stamp: op.stamp)
  }

  init(_ row: RowID, generation: Int64, isInsertion: Bool, stamp: Stamp) {
    self.row = row
    self.generation = generation
    self.isInsertion = isInsertion
    self.stamp = stamp
  }
}
