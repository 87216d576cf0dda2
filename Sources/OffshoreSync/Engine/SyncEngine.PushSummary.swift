public import OffshoreWire

extension SyncEngine {
  /// What came of a push, as far as it decides what is next.
  public struct PushSummary: Hashable, Sendable {
    /// Whether a request was sent. Where there was nothing to send, the rest is not looked at.
    public let isSent: Bool
    /// How many batches have taken effect, whether or not that was known before.
    public let applied: Int
    /// How many batches were refused for good.
    public let rejected: Int
    /// Whether only a pull can bring what the device needs to go on.
    public let needsPull: Bool
    /// The number of the last change that was applied in each scope, where a pull has not brought it yet.
    public let heads: [ScopeID: Int64]
    /// Whether there is more to send.
    public let hasMore: Bool

    /// Sums up an answer. One by which nothing was applied or rejected delays the next push.
    public init(
      applied: Int, rejected: Int, needsPull: Bool, hasMore: Bool, heads: [ScopeID: Int64] = [:]
    ) {
      self.init(
        isSent: true, applied: applied, rejected: rejected, needsPull: needsPull,
        hasMore: hasMore, heads: heads)
    }

    private init(
      isSent: Bool, applied: Int, rejected: Int, needsPull: Bool, hasMore: Bool,
      heads: [ScopeID: Int64] = [:]
    ) {
      self.isSent = isSent
      self.applied = applied
      self.rejected = rejected
      self.needsPull = needsPull
      self.hasMore = hasMore
      self.heads = heads
    }

    /// Sums up what a replica has made of an answer.
    ///
    /// NB: A device hears of its own push as others do, and its pull may be done before the answer is
    /// there. What comes next is not to wait for that.
    public init(_ report: PushReport) {
      self.init(
        applied: report.applied + report.known, rejected: report.rejected,
        needsPull: report.needsPull,
        hasMore: report.hasMore, heads: report.heads)
    }

    /// There was nothing to send, and no request was made.
    public static let nothingToSend = PushSummary(
      isSent: false, applied: 0, rejected: 0, needsPull: false, hasMore: false)
  }
}
