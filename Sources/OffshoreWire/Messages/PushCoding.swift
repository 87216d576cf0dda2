extension PushResponse: WireMessage {
  public static var kind: WireKind { .pushResponse }

  public func encode(into writer: inout WireWriter) {
    writer.number(epoch)
    writer.signed(serverTime)
    writer.list(results)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(
      epoch: try reader.number(), serverTime: try reader.signed(), results: try reader.list())
  }
}

/// The encoding has the scope, the number, whether the answer is repeated, then the answer.
extension BatchResult: WireCodable {
  public static var leastByteCount: Int { ScopeID.leastByteCount + 3 }

  public func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.signed(number)
    writer.flag(isRepeated)
    writer.value(outcome)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    scope = try reader.value()
    number = try reader.counted()
    isRepeated = try reader.flag()
    outcome = try reader.value()
  }
}

/// The encoding has a number for the case, then its values.
extension BatchResult.Outcome: WireCodable {
  public func encode(into writer: inout WireWriter) {
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

  public init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .applied(try reader.value())
    case 2: self = .rejected(try reader.value(), current: try reader.optional())
    case 3: self = .forked
    case 4: self = .gap(expected: try Self.expected(from: &reader))
    default: throw reader.malformed("A batch is answered in no known way.")
    }
  }

  private static func expected(from reader: inout WireReader) throws(WireError) -> Int64 {
    let number = try reader.counted()
    guard number > 0 else { throw reader.malformed("Batches are counted from 1.") }
    return number
  }
}

/// The encoding has the first number, then the count.
extension SeqRange: WireCodable {
  public static var leastByteCount: Int { 2 }

  public func encode(into writer: inout WireWriter) {
    writer.number(UInt64(first))
    writer.number(UInt64(count))
  }

  public init(from reader: inout WireReader) throws(WireError) {
    let (first, count) = (try reader.natural(), try reader.natural())
    guard first <= WireLimits.number, count <= WireLimits.number - first else {
      throw reader.malformed("The numbers of changes are beyond the largest.")
    }
    self.init(first: first, count: count)
  }
}
