public import OffshoreWire

extension SyncEngine {
  /// What came of a pull, as far as it decides what is next.
  public struct PullSummary: Hashable, Sendable {
    /// Whether everything that the server had is applied.
    public let isComplete: Bool
    /// Whether to ask again at once.
    public let hasMore: Bool
    /// Whether anything came. An answer that is not complete and brings nothing delays the next pull.
    public let hasAdvanced: Bool
    /// Whether there is something to send now that could not be sent before.
    public let needsPush: Bool
    /// The number that each scope has been pulled up to; a hint of no higher one is no news.
    ///
    /// A scope that is missing is not known, so each of its hints leads to a pull.
    public let heads: [ScopeID: Int64]
    /// The number of rows on this device that the pull has changed.
    public let changed: Int

    /// Sums up an answer.
    public init(
      isComplete: Bool, hasMore: Bool, hasAdvanced: Bool, needsPush: Bool,
      heads: [ScopeID: Int64] = [:], changed: Int = 0
    ) {
      self.isComplete = isComplete
      self.hasMore = hasMore
      self.hasAdvanced = hasAdvanced
      self.needsPush = needsPush
      self.heads = heads
      self.changed = changed
    }

    /// Sums up what a replica has made of an answer.
    public init(_ report: PullReport) {
      self.init(
        isComplete: report.isComplete, hasMore: report.hasMore, hasAdvanced: report.hasAdvanced,
        needsPush: report.needsPush, heads: report.heads, changed: report.changed)
    }
  }
}
