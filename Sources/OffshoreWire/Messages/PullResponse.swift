/// What a device is missing, scope by scope.
public struct PullResponse: Hashable, Sendable {
  /// The server's clock, in milliseconds since 1970; see ``ClockOffset``.
  public let serverTime: Int64
  /// The epoch of the server's data, whatever scopes are asked for. A server that was restored begins
  /// another, and its grants are numbered from what was restored.
  public let epoch: UInt64
  /// What both the device and the server understand.
  public let capabilities: Capabilities
  /// The grants of the account that changed after the number in the request, in their order.
  public let grants: [Grant]
  /// An answer for each cursor, in the order of the request.
  public let scopes: [ScopeAnswer]

  /// Answers a pull.
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

/// What an account may do in a scope.
public struct Grant: Hashable, Sendable {
  /// The scope.
  public let scope: ScopeID
  /// The role.
  public let role: Role
  /// The number of this change among all of the account's grants.
  public let seq: Int64

  /// Grants a role.
  public init(_ scope: ScopeID, _ role: Role, seq: Int64) {
    self.scope = scope
    self.role = role
    self.seq = seq
  }
}

/// The answer for one scope.
public struct ScopeAnswer: Hashable, Sendable {
  /// What a server answers.
  public enum Content: Hashable, Sendable {
    /// A page of rows.
    case page(ScopePage)
    /// The device cannot go on from where it is: it fetches a snapshot beside what it has, and keeps
    /// what it has not sent. Changes up to this number are gone.
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

  /// Answers for a scope.
  public init(_ scope: ScopeID, epoch: UInt64, _ content: Content) {
    self.scope = scope
    self.epoch = epoch
    self.content = content
  }
}

/// Rows of a scope, and what else was true of it at the moment when they were read.
public struct ScopePage: Hashable, Sendable {
  /// The rows, in the order of their numbers, or of a snapshot in that of rows.
  public let rows: RowPage
  /// The conflicts that the device does not have yet, in the order of their numbers.
  public let conflicts: [NumberedConflict]
  /// Whether there may be more, because the page has as many rows or conflicts as it can.
  public let isFull: Bool
  /// Where the next page begins.
  public let next: PullCursor.Position
  /// The number of the scope's last change.
  public let head: Int64
  /// The sum of the rows at ``head``.
  public let digest: Digest
  /// The sums of the ranges at ``head``, where they were asked for.
  public let rangeDigests: RangeDigests?
  /// A cursor below this number cannot be continued: tombstones after it may be gone.
  public let minSeq: Int64
  /// The number of the device's last batch in this scope that was answered for good, or 0.
  public let lastBatch: Int64
  /// What became of those batches up to it whose answers the device does not have, in order.
  public let batches: [DecidedBatch]

  /// Describes a page.
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
