public import OffshoreWire

extension SyncEngine {
  /// The result of a push, as far as the engine needs it.
  public struct PushSummary: Hashable, Sendable {
    /// Whether a request was sent. If not, only ``nextTry`` is used of the other properties.
    public let isSent: Bool
    /// The number of batches that took effect, including those that a pull had reported before.
    public let applied: Int
    /// The number of batches that the server has rejected.
    public let rejected: Int
    /// Whether the device needs a pull, for example because a batch was refused.
    public let needsPull: Bool
    /// The number of the last change that the push made, by scope, if no pull has fetched it yet.
    ///
    /// The engine pulls, unless a pull that is under way reaches these numbers.
    public let heads: [ScopeID: Int64]
    /// Whether there is more to send.
    public let hasMore: Bool
    /// Whether the request was refused because of its size, and its only batch was divided.
    let isDivided: Bool
    /// The milliseconds until refused changes are sent again, or `nil` if there are none of them.
    public let nextTry: Int64?

    /// Creates a summary of an answer. If both `applied` and `rejected` are 0, the next push is
    /// delayed.
    public init(
      applied: Int, rejected: Int, needsPull: Bool, hasMore: Bool, heads: [ScopeID: Int64] = [:],
      nextTry: Int64? = nil
    ) {
      self.init(
        isSent: true, applied: applied, rejected: rejected, needsPull: needsPull,
        hasMore: hasMore, heads: heads, nextTry: nextTry)
    }

    private init(
      isSent: Bool, applied: Int, rejected: Int, needsPull: Bool, hasMore: Bool,
      heads: [ScopeID: Int64] = [:], isDivided: Bool = false, nextTry: Int64? = nil
    ) {
      self.isSent = isSent
      self.applied = applied
      self.rejected = rejected
      self.needsPull = needsPull
      self.hasMore = hasMore
      self.heads = heads
      self.isDivided = isDivided
      self.nextTry = nextTry
    }

    /// Creates a summary of a replica's report.
    ///
    /// NB: Batches that a pull reported as applied before the answer arrived count, too. Otherwise
    /// the next push would be delayed.
    public init(_ report: PushReport) {
      self.init(
        isSent: true, applied: report.applied + report.alreadyApplied,
        rejected: report.rejected + (report.isDivided ? 1 : 0), needsPull: report.needsPull,
        hasMore: report.hasMore, heads: report.heads, isDivided: report.isDivided,
        nextTry: report.nextTry)
    }

    /// The summary if there was nothing to send and no request was made.
    public static let nothingToSend = nothingToSend(nextTry: nil)

    /// Returns the summary if no request was made, because there is nothing to send yet.
    public static func nothingToSend(nextTry: Int64?) -> PushSummary {
      PushSummary(
        isSent: false, applied: 0, rejected: 0, needsPull: false, hasMore: false, nextTry: nextTry)
    }
  }
}

extension SyncEngine {
  /// The result of a pull, as far as the engine needs it.
  public struct PullSummary: Hashable, Sendable {
    /// Whether everything that the server had was applied.
    public let isComplete: Bool
    /// Whether there is more to fetch at once.
    public let hasMore: Bool
    /// Whether the answer brought anything new. After an incomplete answer that brought nothing
    /// new, the next pull is delayed.
    public let hasAdvanced: Bool
    /// Whether there are changes to send, for example because the pull brought a role.
    public let needsPush: Bool
    /// The number of the last change that was pulled, by scope. A hint with this head or a lower
    /// one requires no pull.
    ///
    /// Only those of the last complete pull count. A hint for a scope that is not among them
    /// requires a pull.
    public let heads: [ScopeID: Int64]
    /// The number of rows on this device that the pull changed.
    public let changed: Int
    /// Whether the next pull has to fetch all scopes, even if this one fetched single ones.
    public let needsAll: Bool
    /// The reason why a scope is left out, because the device cannot read its data, or `nil`.
    public let unreadable: Failure?

    /// Creates a summary.
    public init(
      isComplete: Bool, hasMore: Bool, hasAdvanced: Bool, needsPush: Bool,
      heads: [ScopeID: Int64] = [:], changed: Int = 0, needsAll: Bool = false,
      unreadable: Failure? = nil
    ) {
      self.isComplete = isComplete
      self.hasMore = hasMore
      self.hasAdvanced = hasAdvanced
      self.needsPush = needsPush
      self.heads = heads
      self.changed = changed
      self.needsAll = needsAll
      self.unreadable = unreadable
    }

    /// Creates a summary of a replica's report.
    /// - Parameter unreadable: the reason why a scope is left out.
    public init(_ report: PullReport, unreadable: Failure? = nil) {
      self.init(
        isComplete: report.isComplete, hasMore: report.hasMore, hasAdvanced: report.hasAdvanced,
        needsPush: report.needsPush, heads: report.heads, changed: report.changed,
        needsAll: report.needsAll, unreadable: unreadable)
    }
  }
}
