/// The results of the batches of a push.
public struct PushResponse: Hashable, Sendable {
  /// The epoch of the server's data.
  public let epoch: UInt64
  /// The server's clock, in milliseconds since 1970; see ``ClockOffset``.
  public let serverTime: Int64
  /// The results, in the order of the request; empty if the request's epoch is not the server's.
  public let results: [BatchResult]

  /// Creates a response.
  public init(epoch: UInt64, serverTime: Int64, results: [BatchResult]) {
    self.epoch = epoch
    self.serverTime = serverTime
    self.results = results
  }
}

/// The result of a batch.
public struct BatchResult: Hashable, Sendable {
  /// The decision of a server about a batch.
  public enum Outcome: Hashable, Sendable {
    /// The batch was applied. Its changes have these numbers in the scope.
    case applied(SeqRange)
    /// The batch will never be applied, and its number is used.
    ///
    /// `current` is the row in the way, as it is at the time of the answer. It is left out if the
    /// answer has no room for it.
    case rejected(Rejection, current: SyncedRow?)
    /// Another batch with this number was accepted: two devices use copies of one file.
    case forked
    /// An earlier batch is missing. `expected` is its number.
    case gap(expected: Int64)
  }

  /// The scope of the batch.
  public let scope: ScopeID
  /// The number of the batch.
  public let number: Int64
  /// The decision about it.
  public let outcome: Outcome
  /// Whether the batch was answered before, and this repeats that answer.
  public let isRepeated: Bool

  /// Creates a result.
  public init(scope: ScopeID, number: Int64, outcome: Outcome, isRepeated: Bool = false) {
    self.scope = scope
    self.number = number
    self.outcome = outcome
    self.isRepeated = isRepeated
  }
}

/// The consecutive numbers of a batch's changes.
public struct SeqRange: Hashable, Sendable {
  /// The first number.
  public let first: Int64
  /// The number of changes, which is 0 if every edit lost.
  public let count: Int64

  /// Creates a range. Negative arguments count as 0.
  public init(first: Int64, count: Int64) {
    self.first = max(first, 0)
    self.count = min(max(count, 0), .max - self.first)
  }

  /// The last number, or the one before ``first`` if the range is empty.
  ///
  /// A device whose cursor is at this number has all changes of the batch.
  public var last: Int64 { first + count - 1 }
}
