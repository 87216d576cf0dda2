public import OffshoreWire

extension SyncEngine {
  /// The result of a push, as far as the engine needs it.
  public struct PushSummary: Hashable, Sendable {
    /// Whether a request was sent. If not, the other properties are ignored.
    public let isSent: Bool
    /// The number of batches that took effect, including those that a pull had reported before.
    public let applied: Int
    /// The number of batches that were refused for good.
    public let rejected: Int
    /// Whether the device needs a pull, for example because a batch was refused.
    public let needsPull: Bool
    /// The number of the last change that the push made, by scope, if no pull has fetched it yet.
    public let heads: [ScopeID: Int64]
    /// Whether there is more to send.
    public let hasMore: Bool

    /// Creates a summary of an answer. After an answer that applied and refused nothing, the next
    /// push is delayed.
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

    /// Creates a summary of a replica's report.
    ///
    /// NB: Batches that a pull reported as applied before the answer arrived count, too. Otherwise
    /// the next push would be delayed.
    public init(_ report: PushReport) {
      self.init(
        applied: report.applied + report.known, rejected: report.rejected,
        needsPull: report.needsPull,
        hasMore: report.hasMore, heads: report.heads)
    }

    /// The summary if there was nothing to send and no request was made.
    public static let nothingToSend = PushSummary(
      isSent: false, applied: 0, rejected: 0, needsPull: false, hasMore: false)
  }
}
