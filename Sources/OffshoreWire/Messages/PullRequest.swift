/// A device's request for the changes that it is missing, the body of `POST /v1/pull`.
public struct PullRequest: Hashable, Sendable {
  /// The device.
  public let device: DeviceID
  /// The version of the device's ``Manifest``.
  public let manifestVersion: Int
  /// The capabilities of the device.
  public let capabilities: Capabilities
  /// The number of the last ``Grant`` that the device has, or 0.
  public let grantsAfter: Int64
  /// The scopes to pull, each once and at most ``WireLimits/scopesPerPull``.
  public let cursors: [PullCursor]
  /// The maximum number of rows of each scope in the answer, at most ``WireLimits/rowsPerPage``.
  public let limit: Int

  /// Creates a request.
  public init(
    device: DeviceID, manifestVersion: Int, capabilities: Capabilities = .all,
    grantsAfter: Int64, cursors: [PullCursor], limit: Int
  ) {
    self.device = device
    self.manifestVersion = manifestVersion
    self.capabilities = capabilities
    self.grantsAfter = grantsAfter
    self.cursors = cursors
    self.limit = limit
  }
}

/// The progress of a device in one scope.
public struct PullCursor: Hashable, Sendable {
  /// The position at which a page begins.
  public enum Position: Hashable, Sendable {
    /// After a number, in the order of changes.
    case changes(after: Int64)
    /// After a row or at the first one, in the order of rows.
    ///
    /// This is the first sync, which continues with the changes after the head at which it began.
    /// The server sends that head with the first page.
    case snapshot(head: Int64?, after: RowID?)
    /// Like a snapshot, but only with the rows and tombstones of some ranges.
    ///
    /// A device that passes its own cursor as the head continues with the changes after it, and so
    /// misses none of the other ranges.
    case repair(ranges: RangeSet, head: Int64?, after: RowID?)
  }

  /// The scope.
  public let scope: ScopeID
  /// The epoch of the scope's data that the device has, or 0.
  public let epoch: UInt64
  /// The position at which the page begins.
  public let position: Position
  /// The number up to which the device has committed all changes.
  public let acknowledged: Int64
  /// The number of the last conflict that the device has, including staged ones, or 0.
  public let conflictsAfter: Int64
  /// Whether the page should have the digests of ranges, because the digest of the scope differed.
  public let wantsRangeDigests: Bool
  /// The number up to which the device has the answers to all its batches, or 0.
  ///
  /// The page has the results of later ones.
  public let answeredBatch: Int64

  /// Creates a cursor.
  public init(
    _ scope: ScopeID, epoch: UInt64, position: Position, acknowledged: Int64,
    conflictsAfter: Int64 = 0, wantsRangeDigests: Bool = false, answeredBatch: Int64 = 0
  ) {
    self.scope = scope
    self.epoch = epoch
    self.position = position
    self.acknowledged = acknowledged
    self.conflictsAfter = conflictsAfter
    self.wantsRangeDigests = wantsRangeDigests
    self.answeredBatch = answeredBatch
  }
}
