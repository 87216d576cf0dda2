/// What became of each batch of a push.
public struct PushResponse: Hashable, Sendable {
  /// The epoch of the server's data.
  public let epoch: UInt64
  /// The server's clock, in milliseconds since 1970; see ``ClockOffset``.
  public let serverTime: Int64
  /// The batches in the order of the request.
  public let results: [BatchResult]

  /// Answers a push.
  public init(epoch: UInt64, serverTime: Int64, results: [BatchResult]) {
    self.epoch = epoch
    self.serverTime = serverTime
    self.results = results
  }
}

/// What became of a batch.
public struct BatchResult: Hashable, Sendable {
  /// What a server does with a batch.
  public enum Outcome: Hashable, Sendable {
    /// It took effect, and its changes have these numbers in the scope.
    case applied(SeqRange)
    /// It never takes effect, and its number is used up. The row is what stands in its way, as it is at
    /// the time of the answer, and is left out where the answer has no room for it.
    case rejected(Rejection, current: SyncedRow?)
    /// Another batch of this number was taken: two devices run on copies of one file.
    case forked
    /// An earlier batch is missing, and this is its number.
    case gap(expected: Int64)
  }

  /// The scope of the batch.
  public let scope: ScopeID
  /// The number of the batch.
  public let number: Int64
  /// What became of it.
  public let outcome: Outcome
  /// Whether it was answered before, and this is the same answer once more.
  public let isRepeated: Bool

  /// Answers a batch.
  public init(scope: ScopeID, number: Int64, outcome: Outcome, isRepeated: Bool = false) {
    self.scope = scope
    self.number = number
    self.outcome = outcome
    self.isRepeated = isRepeated
  }
}

/// The numbers of a batch's changes, which follow one another.
public struct SeqRange: Hashable, Sendable {
  /// The first number.
  public let first: Int64
  /// How many there are: none where every edit lost.
  public let count: Int64

  /// The numbers from a first one; negative arguments count as 0.
  public init(first: Int64, count: Int64) {
    self.first = max(first, 0)
    self.count = min(max(count, 0), .max - self.first)
  }

  /// The last number, or the one before ``first`` where there are none.
  ///
  /// A device whose cursor is there has all that the batch did.
  public var last: Int64 { first + count - 1 }
}
