/// What a device has, for `POST /v1/pull`, so that it is told the rest.
public struct PullRequest: Hashable, Sendable {
  /// The device.
  public let device: DeviceID
  /// The version of the device's ``Manifest``.
  public let manifestVersion: Int
  /// What the device understands.
  public let capabilities: Capabilities
  /// The number of the last change of a grant that the device has, or 0.
  public let grantsAfter: Int64
  /// The scopes that it asks for, each once and ``WireLimits/scopesPerPull`` at the most.
  public let cursors: [PullCursor]
  /// How many rows it takes of each scope at once, ``WireLimits/rowsPerPage`` at the most.
  public let limit: Int

  /// Asks a server for changes.
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

/// How far a device is in one scope.
public struct PullCursor: Hashable, Sendable {
  /// Where a page begins.
  public enum Position: Hashable, Sendable {
    /// After a number, in the order of changes.
    case changes(after: Int64)
    /// After a row, or at the first, in the order of rows: the first sync, which goes on with the changes
    /// after the head that it began at. The server tells that head with the first page.
    case snapshot(head: Int64?, after: RowID?)
    /// As of a snapshot, but only the rows and tombstones of some ranges. A device that gives its own
    /// cursor as the head goes on with the changes after it, and misses none of the other ranges.
    case repair(ranges: RangeSet, head: Int64?, after: RowID?)
  }

  /// The scope.
  public let scope: ScopeID
  /// The epoch of the scope's data that the device has, or 0.
  public let epoch: UInt64
  /// Where the page is to begin.
  public let position: Position
  /// The number up to which the device has committed all changes.
  public let acknowledged: Int64
  /// The number of the last conflict that the device has, staged ones included, or 0.
  public let conflictsAfter: Int64
  /// Whether the page is to tell the sums of the ranges, because the sum of all was another.
  public let wantsRangeDigests: Bool
  /// The number of the device's last batch up to which it has all answers, or 0. What became of later
  /// ones is told with the page.
  public let answeredBatch: Int64

  /// Describes how far a device is.
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
