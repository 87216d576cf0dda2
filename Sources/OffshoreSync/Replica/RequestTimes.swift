public import OffshoreWire

/// The times of a request and its answer, by the device's clock.
public struct RequestTimes: Hashable, Sendable {
  /// The time at which the request was sent, in milliseconds since 1970.
  public let sent: Int64
  /// The time at which the answer was received, in milliseconds since 1970.
  public let received: Int64

  /// Creates the times of a request.
  public init(sent: Int64, received: Int64) {
    self.sent = sent
    self.received = received
  }
}

/// The effects of an answer to a push.
public struct PushReport: Hashable, Sendable {
  /// The number of batches that this answer is the first to report as applied.
  public internal(set) var applied = 0
  /// The number of applied batches that were already known to be applied, mostly from a pull.
  public internal(set) var known = 0
  /// The number of refused batches.
  public internal(set) var rejected = 0
  /// Whether the device got a new id, because another device has used the former one.
  public internal(set) var isForked = false
  /// Whether the device should pull next: a batch was refused or forked, an edit may have lost, or
  /// the server's epoch changed.
  public internal(set) var needsPull = false
  /// The number of the last change of the applied batches in each scope, if it was not pulled yet.
  public internal(set) var heads: [ScopeID: Int64] = [:]
  /// Whether more changes are to be sent.
  public internal(set) var hasMore = false
}

/// The effects of an answer to a pull.
public struct PullReport: Hashable, Sendable {
  /// Whether all pages have arrived and were applied. Otherwise this answer's pages are staged.
  public internal(set) var isComplete = false
  /// Whether the device should pull again at once.
  public internal(set) var hasMore = false
  /// The number of rows in the answer.
  public internal(set) var rows = 0
  /// The number of rows on this device that the answer has changed.
  public internal(set) var changed = 0
  /// Whether the answer brought rows, grants, conflicts or a new position.
  public internal(set) var hasAdvanced = false
  /// Whether changes are to be sent.
  public internal(set) var needsPush = false
  /// The number of the last change of each scope that was brought up to date.
  public internal(set) var heads: [ScopeID: Int64] = [:]
  /// The scopes whose digest differs from the server's. Their rows are fetched again, range by
  /// range or as a whole.
  public internal(set) var inDoubt: Set<ScopeID> = []
}
