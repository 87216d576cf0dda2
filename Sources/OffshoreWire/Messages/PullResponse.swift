/// The changes that a device is missing, scope by scope.
public struct PullResponse: Hashable, Sendable {
  /// The server's clock, in milliseconds since 1970; see ``ClockOffset``.
  public let serverTime: Int64
  /// The epoch of the server's data, whichever scopes are pulled.
  ///
  /// A server that was restored begins a new epoch, and continues the numbers of the restored
  /// grants.
  public let epoch: UInt64
  /// The capabilities that both the device and the server have.
  public let capabilities: Capabilities
  /// The account's grants after the number in the request, in their order.
  public let grants: [Grant]
  /// An answer for each cursor, in the order of the request.
  public let scopes: [ScopeAnswer]

  /// Creates a response.
  public init(
    serverTime: Int64, epoch: UInt64, capabilities: Capabilities = .all, grants: [Grant],
    scopes: [ScopeAnswer]
  ) {
    self.serverTime = serverTime
    self.epoch = epoch
    self.capabilities = capabilities
    self.grants = grants
    self.scopes = scopes
  }
}

/// The role of an account in a scope.
public struct Grant: Hashable, Sendable {
  /// The scope.
  public let scope: ScopeID
  /// The role.
  public let role: Role
  /// The number of this change among the changes of all of the account's roles.
  public let seq: Int64

  /// Creates a grant.
  public init(_ scope: ScopeID, _ role: Role, seq: Int64) {
    self.scope = scope
    self.role = role
    self.seq = seq
  }
}

/// The answer for one scope.
public struct ScopeAnswer: Hashable, Sendable {
  /// The content of an answer.
  public enum Content: Hashable, Sendable {
    /// A page of rows.
    case page(ScopePage)
    /// The device cannot continue from its cursor.
    ///
    /// It fetches a snapshot beside its data, and retains its pending changes. The tombstones up to
    /// `minSeq` may have been deleted.
    case resync(minSeq: Int64)
    /// The account may not read the scope.
    case notGranted
  }

  /// The scope.
  public let scope: ScopeID
  /// The epoch of the scope's data.
  public let epoch: UInt64
  /// The answer.
  public let content: Content

  /// Creates an answer.
  public init(_ scope: ScopeID, epoch: UInt64, _ content: Content) {
    self.scope = scope
    self.epoch = epoch
    self.content = content
  }
}

/// Rows of a scope, with the state of the scope in the transaction that read them.
public struct ScopePage: Hashable, Sendable {
  /// The rows, in the order of their numbers, or in the order of rows for a snapshot.
  public let rows: RowPage
  /// The conflicts that the device does not have yet, in the order of their numbers.
  public let conflicts: [NumberedConflict]
  /// Whether more may follow, because the page has as many rows or conflicts as it can.
  public let isFull: Bool
  /// The position at which the next page begins.
  public let next: PullCursor.Position
  /// The number of the scope's last change.
  public let head: Int64
  /// The digest of the rows at ``head``.
  public let digest: Digest
  /// The digests of the ranges at ``head``, or `nil` if they were not requested.
  public let rangeDigests: RangeDigests?
  /// The least cursor that can be continued. Tombstones up to it may have been deleted.
  public let minSeq: Int64
  /// The number of the device's last batch in this scope that has a final answer, or 0.
  public let lastBatch: Int64
  /// The results of the batches up to ``lastBatch`` whose answers the device does not have, in
  /// order.
  public let batches: [DecidedBatch]

  /// Creates a page.
  public init(
    rows: RowPage, conflicts: [NumberedConflict] = [], isFull: Bool, next: PullCursor.Position,
    head: Int64, digest: Digest, rangeDigests: RangeDigests? = nil, minSeq: Int64,
    lastBatch: Int64, batches: [DecidedBatch] = []
  ) {
    self.rows = rows
    self.conflicts = conflicts
    self.isFull = isFull
    self.next = next
    self.head = head
    self.digest = digest
    self.rangeDigests = rangeDigests
    self.minSeq = minSeq
    self.lastBatch = lastBatch
    self.batches = batches
  }
}
