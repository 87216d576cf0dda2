import OffshoreWire

/// The limits of the rows that a server stores. By default there are none.
///
/// The bytes of a row are counted like `WireLimits.rowBytes`: for each field, the bytes of its name
/// and its value count, and 44 more. Conflicts, tombstones and blobs do not count.
///
/// The rows of a scope, by all members, count for one account: the first owner that wrote to the
/// scope.
///
/// A batch that would exceed a limit is refused with the code `limitReached`, unless it leaves at
/// most as many rows or bytes as there were: deletions are always accepted.
public struct StorageLimits: Sendable {
  /// The largest number of rows in a scope.
  public var rowsPerScope: Int64?
  /// The largest number of bytes in a scope.
  public var bytesPerScope: Int64?
  /// The largest number of rows in all scopes of an account.
  public var rowsPerAccount: Int64?
  /// The largest number of bytes in all scopes of an account.
  public var bytesPerAccount: Int64?

  /// Creates limits, by default none.
  public init(
    rowsPerScope: Int64? = nil, bytesPerScope: Int64? = nil, rowsPerAccount: Int64? = nil,
    bytesPerAccount: Int64? = nil
  ) {
    self.rowsPerScope = rowsPerScope
    self.bytesPerScope = bytesPerScope
    self.rowsPerAccount = rowsPerAccount
    self.bytesPerAccount = bytesPerAccount
  }

  private var limitsScopes: Bool { rowsPerScope != nil || bytesPerScope != nil }
  private var limitsAccounts: Bool { rowsPerAccount != nil || bytesPerAccount != nil }
}

// MARK: - Checking

extension StorageLimits {
  /// Checks the scopes that a batch changes.
  /// - Throws: `Rejection` with the code `limitReached`; any error of the storage.
  func check(
    _ staged: StagedBatch, _ totals: inout AccountTotals, on transaction: some StorageTransaction
  ) throws {
    guard limitsScopes || limitsAccounts else { return }
    for (id, state) in staged.scopes.sorted(by: { $0.key < $1.key }) {
      let before = try transaction.scope(id)
      let growth = state.usage - before.usage
      if let excess = excess(state.usage, growth, rowsPerScope, bytesPerScope) {
        throw Self.rejection("\(excess) in one place", staged, in: id)
      }
      guard limitsAccounts, let payer = state.payer else { continue }
      let added = before.payer == nil ? state.usage : growth
      let total = try totals.add(added, to: payer, on: transaction)
      if let excess = excess(total, growth, rowsPerAccount, bytesPerAccount) {
        throw Self.rejection("\(excess) for one account", staged, in: id)
      }
    }
  }

  /// Returns the exceeded limit, if growth has exceeded it.
  private func excess(
    _ usage: StorageUsage, _ growth: StorageUsage, _ rows: Int64?, _ bytes: Int64?
  ) -> String? {
    if let rows, growth.rows > 0, usage.rows > rows { return "\(rows) rows" }
    if let bytes, growth.bytes > 0, usage.bytes > bytes { return "\(bytes) bytes" }
    return nil
  }

  /// Returns a rejection that names the last row that the batch writes, so that a device can send
  /// its other edits again.
  private static func rejection(
    _ limit: String, _ staged: StagedBatch, in scope: ScopeID
  ) -> Rejection {
    let written = staged.rows.filter { $0.key.scope == scope && $0.value.row.state.isLiving }
    let last = written.max { $0.value.row.seq < $1.value.row.seq }
    return Rejection(
      .limitReached,
      """
      There is no more room: the server stores \(limit) at the most. Delete what is not needed, or ask \
      the operator of the server for more.
      """, row: last?.key.row)
  }
}

/// The rows and bytes that count for accounts, during a push.
struct AccountTotals {
  private var totals: [AccountID: StorageUsage] = [:]

  /// Adds rows and bytes of a batch that is about to be stored.
  /// - Returns: the sum.
  fileprivate mutating func add(
    _ usage: StorageUsage, to account: AccountID, on transaction: some StorageTransaction
  ) throws -> StorageUsage {
    let total = try (totals[account] ?? transaction.usage(of: account)) + usage
    totals[account] = total
    return total
  }

  /// Forgets all totals, because the batch was not stored or has changed further rows.
  mutating func reset() { totals = [:] }
}
