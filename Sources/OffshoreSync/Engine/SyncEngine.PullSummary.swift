public import OffshoreWire

extension SyncEngine {
  /// The result of a pull, as far as the engine needs it.
  public struct PullSummary: Hashable, Sendable {
    /// Whether everything that the server had was applied.
    public let isComplete: Bool
    /// Whether there is more to fetch at once.
    public let hasMore: Bool
    /// Whether the answer brought anything new. The next pull is delayed after an answer that is
    /// not complete and brought nothing.
    public let hasAdvanced: Bool
    /// Whether there are changes to send, for example because the pull brought a role.
    public let needsPush: Bool
    /// The number of the last change that was pulled, by scope. A hint with this head or a lower
    /// one requires no pull.
    ///
    /// A scope that is missing is not known, so each hint for it requires a pull.
    public let heads: [ScopeID: Int64]
    /// The number of rows on this device that the pull changed.
    public let changed: Int

    /// Creates a summary.
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

    /// Creates a summary of a replica's report.
    public init(_ report: PullReport) {
      self.init(
        isComplete: report.isComplete, hasMore: report.hasMore, hasAdvanced: report.hasAdvanced,
        needsPush: report.needsPush, heads: report.heads, changed: report.changed)
    }
  }
}
