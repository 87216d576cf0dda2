/// The results of the batches of a push.
public struct PushResponse: Hashable, Sendable {
  /// The epoch of the server's data.
  public let epoch: UInt64
  /// The server's clock, in milliseconds since 1970.
  public let serverTime: Int64
  /// The results, in the order of the request; empty if the request's epoch is not the server's.
  public let results: [BatchResult]

  /// Creates a response.
  package init(epoch: UInt64, serverTime: Int64, results: [BatchResult]) {
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
  package init(scope: ScopeID, number: Int64, outcome: Outcome, isRepeated: Bool = false) {
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
  package init(first: Int64, count: Int64) {
    self.first = max(first, 0)
    self.count = min(max(count, 0), .max - self.first)
  }

  /// The last number, or the one before ``first`` if the range is empty.
  ///
  /// A device whose cursor is at this number has all changes of the batch.
  public var last: Int64 { first + count - 1 }
}

extension PushResponse: WireMessage {
  package static var kind: WireKind { .pushResponse }

  package func encode(into writer: inout WireWriter) {
    writer.number(epoch)
    writer.signed(serverTime)
    writer.list(results)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      epoch: try reader.number(), serverTime: try reader.signed(), results: try reader.list())
  }
}

/// The encoding has the scope, the number, whether the answer is repeated, then the answer.
extension BatchResult: WireCodable {
  package static var leastByteCount: Int { ScopeID.leastByteCount + 3 }

  package func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.signed(number)
    writer.flag(isRepeated)
    writer.value(outcome)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    scope = try reader.value()
    number = try reader.ordinal()
    isRepeated = try reader.flag()
    outcome = try reader.value()
  }
}

/// The encoding has a number for the case, then its values.
extension BatchResult.Outcome: WireCodable {
  package func encode(into writer: inout WireWriter) {
    switch self {
    case .applied(let range):
      writer.byte(1)
      writer.value(range)
    case .rejected(let rejection, let row):
      writer.byte(2)
      writer.value(rejection)
      writer.optional(row)
    case .forked: writer.byte(3)
    case .gap(let number):
      writer.byte(4)
      writer.signed(number)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .applied(try reader.value())
    case 2: self = .rejected(try reader.value(), current: try reader.optional())
    case 3: self = .forked
    case 4: self = .gap(expected: try Self.expected(from: &reader))
    default: throw reader.malformed("A batch is answered in no known way.")
    }
  }

  private static func expected(from reader: inout WireReader) throws(WireError) -> Int64 {
    let number = try reader.ordinal()
    guard number > 0 else { throw reader.malformed("Batches are counted from 1.") }
    return number
  }
}

/// The encoding has the first number, then the count.
extension SeqRange: WireCodable {
  package static var leastByteCount: Int { 2 }

  package func encode(into writer: inout WireWriter) {
    writer.number(UInt64(first))
    writer.number(UInt64(count))
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let (first, count) = (try reader.natural(), try reader.natural())
    guard first <= WireLimits.number, count <= WireLimits.number - first else {
      throw reader.malformed("The numbers of changes are beyond the largest.")
    }
    self.init(first: first, count: count)
  }
}
