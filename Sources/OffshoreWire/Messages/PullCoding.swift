extension PullRequest: WireMessage {
  public static var kind: WireKind { .pullRequest }

  public func encode(into writer: inout WireWriter) {
    writer.value(device)
    writer.count(manifestVersion)
    writer.value(capabilities)
    writer.signed(grantsAfter)
    writer.count(limit)
    writer.list(cursors)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    device = try reader.value()
    manifestVersion = Int(clamping: try reader.natural())
    capabilities = try reader.value()
    grantsAfter = try reader.counted()
    limit = Int(clamping: try reader.natural())
    cursors = try reader.list(upTo: WireLimits.scopesPerPull)
    guard Set(cursors.map(\.scope)).count == cursors.count else {
      throw reader.malformed("A pull asks for a scope twice.")
    }
    guard 1...WireLimits.rowsPerPage ~= limit else {
      throw WireError(
        .tooLarge, "A page has 1 to \(WireLimits.rowsPerPage) rows of a scope. Ask for as many.",
        offset: reader.offset)
    }
  }
}

/// The encoding has the scope, epoch, position, acknowledged number, last conflict, whether range
/// digests are requested, and the last answered batch.
extension PullCursor: WireCodable {
  public static var leastByteCount: Int { ScopeID.leastByteCount + 7 }

  public func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.number(epoch)
    writer.value(position)
    writer.signed(acknowledged)
    writer.signed(conflictsAfter)
    writer.flag(wantsRangeDigests)
    writer.signed(answeredBatch)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    scope = try reader.value()
    epoch = try reader.number()
    position = try reader.value()
    acknowledged = try reader.counted()
    conflictsAfter = try reader.counted()
    wantsRangeDigests = try reader.flag()
    answeredBatch = try reader.counted()
  }
}

/// The encoding has a number for the case, then its values.
extension PullCursor.Position: WireCodable {
  public static var leastByteCount: Int { 2 }

  public func encode(into writer: inout WireWriter) {
    switch self {
    case .changes(let seq):
      writer.byte(1)
      writer.signed(seq)
    case .snapshot(let head, let row):
      writer.byte(2)
      Self.write(head, row, to: &writer)
    case .repair(let ranges, let head, let row):
      writer.byte(3)
      writer.value(ranges)
      Self.write(head, row, to: &writer)
    }
  }

  private static func write(_ head: Int64?, _ row: RowID?, to writer: inout WireWriter) {
    writer.flag(head != nil)
    if let head { writer.signed(head) }
    writer.optional(row)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .changes(after: try reader.counted())
    case 2:
      self = .snapshot(
        head: try reader.flag() ? try reader.counted() : nil, after: try reader.optional())
    case 3:
      self = .repair(
        ranges: try reader.value(), head: try reader.flag() ? try reader.counted() : nil,
        after: try reader.optional())
    default: throw reader.malformed("A cursor has no known position.")
    }
  }
}

extension PullResponse: WireMessage {
  public static var kind: WireKind { .pullResponse }

  public func encode(into writer: inout WireWriter) {
    writer.signed(serverTime)
    writer.number(epoch)
    writer.value(capabilities)
    writer.list(grants)
    writer.list(scopes)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(
      serverTime: try reader.signed(), epoch: try reader.number(),
      capabilities: try reader.value(),
      grants: try reader.list(), scopes: try reader.list())
  }
}

/// The encoding has the scope, the role, then the number.
extension Grant: WireCodable {
  public static var leastByteCount: Int { ScopeID.leastByteCount + 2 }

  public func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.byte(role.rawValue)
    writer.signed(seq)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    let scope = try reader.value(ScopeID.self)
    guard let role = Role(rawValue: try reader.byte()) else {
      throw reader.malformed("A grant is of no known role.")
    }
    self.init(scope, role, seq: try reader.counted())
  }
}

/// The encoding has the scope, the epoch, a number for the case, then its value.
extension ScopeAnswer: WireCodable {
  public static var leastByteCount: Int { ScopeID.leastByteCount + 2 }

  public func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.number(epoch)
    switch content {
    case .page(let page):
      writer.byte(1)
      writer.value(page)
    case .resync(let minSeq):
      writer.byte(2)
      writer.signed(minSeq)
    case .notGranted: writer.byte(3)
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    scope = try reader.value()
    epoch = try reader.number()
    switch try reader.byte() {
    case 1: content = .page(try reader.value())
    case 2: content = .resync(minSeq: try reader.counted())
    case 3: content = .notGranted
    default: throw reader.malformed("A scope is answered in no known way.")
    }
  }
}

/// The encoding has whether the page is full, the numbers, the digests, the batches, the rows, then
/// the conflicts.
extension ScopePage: WireCodable {
  public static var leastByteCount: Int { 18 }

  public func encode(into writer: inout WireWriter) {
    writer.flag(isFull)
    writer.value(next)
    writer.signed(head)
    writer.fixed(digest.value)
    writer.optional(rangeDigests)
    writer.signed(minSeq)
    writer.signed(lastBatch)
    writer.list(batches)
    writer.value(rows)
    writer.list(conflicts)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    isFull = try reader.flag()
    next = try reader.value()
    head = try reader.counted()
    digest = Digest(value: try reader.fixed())
    rangeDigests = try reader.optional()
    minSeq = try reader.counted()
    lastBatch = try reader.counted()
    batches = try reader.list()
    rows = try reader.value()
    conflicts = try reader.list()
  }
}
