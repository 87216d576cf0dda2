public import OffshoreWire

/// When a request left and when its answer came, by the device's clock.
public struct Exchange: Hashable, Sendable {
  /// When the request was sent, in milliseconds since 1970.
  public let sent: Int64
  /// When the answer was received, in milliseconds since 1970.
  public let received: Int64

  /// Notes both times.
  public init(sent: Int64, received: Int64) {
    self.sent = sent
    self.received = received
  }
}

/// What an answer to a push has changed.
public struct PushReport: Hashable, Sendable {
  /// How many batches took effect, as this answer is the first to tell.
  public internal(set) var applied = 0
  /// How many batches took effect, as was known before: mostly from a pull.
  public internal(set) var known = 0
  /// How many batches were refused.
  public internal(set) var rejected = 0
  /// Whether the device goes on under another name, because another runs on a copy of its file.
  public internal(set) var isForked = false
  /// Whether a pull would bring what stands in the way of batches.
  public internal(set) var needsPull = false
  /// The number of the last change that the batches have made in each scope, where it is not pulled yet.
  public internal(set) var heads: [ScopeID: Int64] = [:]
  /// Whether there is more to send.
  public internal(set) var hasMore = false
}

/// What an answer to a pull has changed.
public struct PullReport: Hashable, Sendable {
  /// Whether what was pulled is applied, and not only kept until the rest has come.
  public internal(set) var isComplete = false
  /// Whether there is more to fetch at once.
  public internal(set) var hasMore = false
  /// How many rows the answer had.
  public internal(set) var rows = 0
  /// The number of rows on this device that the answer has changed.
  public internal(set) var changed = 0
  /// Whether the answer brought anything: rows, grants, conflicts, or a later place to go on from.
  public internal(set) var hasAdvanced = false
  /// Whether there is something to send.
  public internal(set) var needsPush = false
  /// The number of the scope's last change, of each scope that was brought up to date.
  public internal(set) var heads: [ScopeID: Int64] = [:]
  /// The scopes whose sums differ from the server's, of which rows are fetched anew.
  public internal(set) var inDoubt: Set<ScopeID> = []
}
