public import Offshore
public import OffshoreWire

/// A pending change of a row.
///
/// A row that was changed again after a change of it was sealed has two: a sealed one, and a captured one,
/// which can be cancelled in any case.
public struct OutboxChange: Hashable, Sendable, Identifiable {
  /// The kind of a change, which may combine several edits of the row.
  public enum Kind: Hashable, Sendable {
    /// The row was inserted.
    case inserted
    /// Columns of the row were changed.
    case updated
    /// The row was deleted.
    case deleted
  }

  /// The identity of a pending change.
  public struct ID: Hashable, Sendable {
    /// The row.
    public let row: RowID
    /// Whether the change is sealed.
    public let isSealed: Bool

    /// Creates the identity of a change.
    public init(row: RowID, isSealed: Bool) {
      self.row = row
      self.isSealed = isSealed
    }
  }

  /// The row, as messages name it.
  public let row: RowID
  /// The kind of the change.
  public let kind: Kind
  /// The values before the change, by the names of the columns in messages.
  ///
  /// An update has those of the changed columns, a deletion all known ones. A sealed change has
  /// values only if it is a deletion.
  public let former: [String: WireValue]
  /// The time of the change, in milliseconds since 1970 by the device's clock, or `nil` if it is
  /// unknown.
  ///
  /// If the change is not sealed, it is the time of the row's last edit. If it is sealed, it is the
  /// time of the oldest write of its batch.
  public let date: Int64?
  /// The number of the last transaction that changed the row, or `nil` if the change is sealed.
  public let transaction: Int64?
  /// Whether the server may have the change, so that it cannot be cancelled any more.
  public var wasSent = false
  /// The last refusal, if the change was refused and is sent again.
  public var refusal: Refusal?

  /// The refusal of a change that is sent again.
  public struct Refusal: Hashable, Sendable {
    /// The number of times that the change was refused.
    public let attempts: Int
    /// The last reason.
    public let rejection: Rejection
    /// The time from which the change is sent again, in milliseconds since 1970 by the device's clock, or
    /// `nil` if it is being sent.
    public let nextTry: Int64?
  }

  /// Whether the change is sealed, so that its values are those that are sent.
  public var isSealed: Bool { transaction == nil }
  public var id: ID { ID(row: row, isSealed: isSealed) }
}

extension Outbox {
  /// Returns this device's pending changes, row by row, the oldest first.
  ///
  /// Changes that cancel each other out are left out, such as the insertion and deletion of a row.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func changes(_ reader: Reader) throws -> [OutboxChange] {
    (try SealedChanges(reader: reader).all() + (try captured(reader))).sorted {
      ($0.date ?? .max, $0.transaction ?? .min, $0.row)
        < ($1.date ?? .max, $1.transaction ?? .min, $1.row)
    }
  }

  /// Returns the captured changes that are not sealed yet, row by row.
  func captured(_ reader: Reader) throws -> [OutboxChange] {
    guard try JournalRow.all.exists(reader) else { return [] }
    let journal = Journal(reader: reader, layout: try CaptureLayout(reader), schema: schema)
    let dates = try TransactionEnd.dates(reader)
    let entries = Dictionary(grouping: try journal.entries(where: "TRUE"), by: \.key.table)
    return try entries.flatMap { number, rows -> [OutboxChange] in
      guard let table = schema[journal.layout.tables[number].name] else { return [] }
      let now = try journal.rows(table, in: "SELECT id FROM _outbox WHERE tbl = \(number)")
      return rows.compactMap { key, entries in
        OutboxChange(entries, of: key.id, in: table.sentName, current: now[key.id], dates)
      }
    }
  }
}

extension OutboxChange {
  /// Combines the journal's entries of a row. Returns `nil` if they cancel each other out.
  fileprivate init?(
    _ entries: [JournalEntry], of id: WireValue, in table: String, current: [String: WireValue]?,
    _ dates: [Int64: Int64]
  ) {
    let change = CapturedRow(entries, before: [], current: current)
    guard let id = id.string, let last = entries.last,
      !change.isUndone || !change.restated.isEmpty
    else { return nil }
    self.init(
      row: RowID(table: table, id: id),
      kind: change.wasThere ? change.new == nil ? .deleted : .updated : .inserted,
      former: change.old, date: dates[last.transaction], transaction: last.transaction)
  }
}

/// The changes of the sealed batches that are not answered yet.
private struct SealedChanges {
  let reader: Reader

  func all() throws -> [OutboxChange] {
    var changes: [RowID: OutboxChange] = [:]
    var unsent = UnsentBatches(reader)
    for sealed in try SealedBatch.pending.order({ $0.key }).all(reader) {
      let wasSent = try !unsent.contains(sealed)
      // Commands about members are listed by themselves.
      for op in sealed.batch.ops where op.row.table != MemberRow.table {
        try add(op, of: sealed, wasSent: wasSent, to: &changes)
      }
    }
    return Array(changes.values)
  }

  private func add(
    _ op: Op, of sealed: SealedBatch, wasSent: Bool, to changes: inout [RowID: OutboxChange]
  ) throws {
    let former = changes[op.row]
    let kind: OutboxChange.Kind =
      switch op.kind {
      case .put: former?.kind == .deleted ? .updated : .inserted
      case .delete: .deleted
      case .patch, .increment, .move: former?.kind ?? .updated
      }
    changes[op.row] = OutboxChange(
      row: op.row, kind: kind, former: kind == .deleted ? try confirmed(op.row) : [:],
      date: former?.date ?? sealed.made, transaction: nil,
      wasSent: wasSent || former?.wasSent == true, refusal: sealed.refusal ?? former?.refusal)
  }

  /// Returns the confirmed values of a row.
  private func confirmed(_ row: RowID) throws -> [String: WireValue] {
    let shadows = ShadowRow.of(row).where { $0.confirmed != nil }
    return try shadows.select { $0.confirmed }.first(reader)??.fields ?? [:]
  }
}

extension SealedBatch {
  /// The last refusal, if the ops were refused.
  var refusal: OutboxChange.Refusal? {
    rejection.map {
      OutboxChange.Refusal(
        attempts: Int(clamping: refusals), rejection: $0,
        nextTry: phase == .postponed && due > 0 ? due : nil)
    }
  }
}
