/// The answer for one scope.
public struct ScopeAnswer: Hashable, Sendable {
  /// The content of an answer.
  public enum Content: Hashable, Sendable {
    /// A page of rows.
    case page(ScopePage)
    /// The device cannot continue from its cursor.
    ///
    /// It fetches a snapshot, and retains its pending changes. The tombstones up to `minSeq` may
    /// have been deleted.
    case resync(minSeq: Int64)
    /// The account may not read the scope.
    case notGranted
  }

  /// The scope.
  public let scope: ScopeID
  /// The epoch of the scope's data.
  public let epoch: UInt64
  /// The answer.
  public let content: Content

  /// Creates an answer.
  public init(_ scope: ScopeID, epoch: UInt64, _ content: Content) {
    self.scope = scope
    self.epoch = epoch
    self.content = content
  }
}

/// Rows of a scope, with the state of the scope in the transaction that read them.
public struct ScopePage: Hashable, Sendable {
  /// The rows, in the order of their numbers, or in the order of rows for a snapshot.
  public let rows: RowPage
  /// The conflicts that the device does not have yet, in the order of their numbers.
  public let conflicts: [NumberedConflict]
  /// Whether the page has reached a limit of rows or conflicts, so that more may follow.
  ///
  /// A full page may have neither: the answer had no space left, or a repair has only looked at rows
  /// of other ranges.
  public let isFull: Bool
  /// The position at which the next page begins.
  public let next: PullCursor.Position
  /// The number of the scope's last change.
  public let head: Int64
  /// The digest of the rows at ``head``.
  public let digest: Digest
  /// The digests of the ranges at ``head``, or `nil` if they were not requested.
  public let rangeDigests: RangeDigests?
  /// The least cursor that can be continued. Tombstones up to it may have been deleted.
  public let minSeq: Int64
  /// The number of the device's last batch in this scope that has a final answer, or 0.
  public let lastBatch: Int64
  /// The results of the batches up to ``lastBatch`` whose answers the device does not have, in
  /// order.
  public let batches: [DecidedBatch]

  /// Creates a page.
  public init(
    rows: RowPage, conflicts: [NumberedConflict] = [], isFull: Bool, next: PullCursor.Position,
    head: Int64, digest: Digest, rangeDigests: RangeDigests? = nil, minSeq: Int64,
    lastBatch: Int64, batches: [DecidedBatch] = []
  ) {
    self.rows = rows
    self.conflicts = conflicts
    self.isFull = isFull
    self.next = next
    self.head = head
    self.digest = digest
    self.rangeDigests = rangeDigests
    self.minSeq = minSeq
    self.lastBatch = lastBatch
    self.batches = batches
  }
}

/// A conflict with its number in the scope.
///
/// The conflicts of a scope are numbered from 1 without gaps, so a device that has one number has
/// all conflicts up to it.
public struct NumberedConflict: Hashable, Sendable {
  /// The number among the scope's conflicts.
  public let number: Int64
  /// The conflict.
  public let conflict: Conflict

  /// Creates a numbered conflict.
  package init(number: Int64, _ conflict: Conflict) {
    self.number = number
    self.conflict = conflict
  }
}

/// The encoding has the scope, the epoch, a number for the case, then its value.
extension ScopeAnswer: WireCodable {
  package static var leastByteCount: Int { ScopeID.leastByteCount + 2 }

  package func encode(into writer: inout WireWriter) {
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

  package init(from reader: inout WireReader) throws(WireError) {
    scope = try reader.value()
    epoch = try reader.number()
    switch try reader.byte() {
    case 1: content = .page(try reader.value())
    case 2: content = .resync(minSeq: try reader.ordinal())
    case 3: content = .notGranted
    default: throw reader.malformed("A scope is answered in no known way.")
    }
  }
}

/// The encoding has whether the page is full, the numbers, the digests, the batches, the rows, then
/// the conflicts.
extension ScopePage: WireCodable {
  package static var leastByteCount: Int { 18 }

  package func encode(into writer: inout WireWriter) {
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

  package init(from reader: inout WireReader) throws(WireError) {
    isFull = try reader.flag()
    next = try reader.value()
    head = try reader.ordinal()
    digest = Digest(value: try reader.fixed())
    rangeDigests = try reader.optional()
    minSeq = try reader.ordinal()
    lastBatch = try reader.ordinal()
    batches = try reader.list()
    rows = try reader.value()
    conflicts = try reader.list()
  }
}

/// The encoding has the number, then the conflict.
extension NumberedConflict: WireCodable {
  package static var leastByteCount: Int { 1 + Conflict.leastByteCount }

  package func encode(into writer: inout WireWriter) {
    writer.signed(number)
    writer.value(conflict)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(number: try reader.ordinal(), try reader.value())
  }
}
