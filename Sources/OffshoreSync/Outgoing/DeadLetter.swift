import Foundation
public import Offshore
public import OffshoreWire

/// A refused change, stored with the reason until the user retries or discards it.
///
/// ``RefusedChange`` describes it for the user.
public struct DeadLetter: Hashable, Sendable, Identifiable {
  /// The number of the refused change on this device.
  public let id: Int64
  /// The time of the refusal, in milliseconds since 1970 by the device's clock.
  public let date: Int64
  /// The row, as messages name it.
  public let row: RowID
  /// The scope, or `nil` if the row has no valid scope.
  public let scope: ScopeID?
  /// The reason for the refusal.
  public let rejection: Rejection
  /// The edit.
  ///
  /// It is `nil` if the change could not be made into an op, for example because its row names no
  /// scope. It is also `nil` if the code of the rejection is `collision`: the edit is still pending
  /// then, and this entry only records that its row is hidden, because the row does not fit a
  /// constraint of this device together with rows of the server.
  public let op: Op?
  /// The number of times that the server has refused the change; 0 if this device refused it, or a former
  /// version stored it.
  public let attempts: Int
}

extension DeadLetter {
  /// Whether the change was lost because the server's data was restored from a copy.
  fileprivate var isLost: Bool { rejection.code == .lostByRestore }
}

extension Replica {
  /// Returns the refused changes, the oldest first.
  /// - Throws: `DatabaseError`.
  public func deadLetters(_ reader: Reader) throws -> [DeadLetter] {
    try deadLetters(StoredRefusal.all, reader)
  }

  /// Discards a refused change. If it is an insertion that has stayed in its place, the row is removed.
  /// - Returns: whether the refused change existed.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  @discardableResult
  public func discard(_ id: DeadLetter.ID, _ writer: Writer) throws -> Bool {
    // NB: Only the row is read. A refused change whose other content is damaged can still be
    // discarded.
    let row = try StoredRefusal.where { $0.number == id }.select(RowID.init) {
      $0.tableName
      $0.id
    }.first(writer)
    guard let row else { return false }
    if let kept = try StoredRefusal.inPlace(id, of: row, schema, writer) {
      try withdraw(kept, writer)
    } else {
      try forget(id, of: row, writer)
    }
    // A change that this one had superseded can be made again.
    try LostChanges(replica: self, writer: writer, device: try ReplicaState(writer).device)
      .settle(after: [row])
    return true
  }

  /// Removes a refused insertion that has stayed in its place, with the changes of its row since.
  private func withdraw(_ refusal: StoredRefusal, _ writer: Writer) throws {
    try outbox.cancel(refusal.row, writer)
    try sealAll(writer, at: refusal.date, makeID: UUID.init)
    try StoredRefusal.where { $0.number == refusal.number }.delete(writer)
    try recompute(writer, at: refusal.date) { try $0.touch(refusal.row) }
  }

  private func forget(_ id: DeadLetter.ID, of row: RowID, _ writer: Writer) throws {
    try StoredRefusal.where { $0.number == id }.delete(writer)
    try derivations.run(for: [row], writer)
  }

  /// Makes a refused change again, over the current values of its row. An insertion that has stayed in
  /// its place is made again with the current values. Values that this device has replaced by later ones
  /// are left out. An earlier refused change that was made again does not count as a later one.
  /// - Returns: whether the change was made, or nothing is left of it; the refused change is then deleted.
  ///   It is `false` if no refused change has the number, if it has no edit, or if the row to update does
  ///   not exist any more. The refused change then stays.
  /// - Throws: `DatabaseError`, with the code `constraint` if a constraint refuses the change. The
  ///   refused change stays then.
  @discardableResult
  public func retry(_ id: DeadLetter.ID, _ writer: Writer) throws -> Bool {
    try retry(id, countsCaptured: true, writer)
  }

  /// Makes a refused change again.
  /// - Parameter countsCaptured: whether captured changes of the row are later ones; see
  ///   ``ReplacedFields``.
  /// - Returns: whether the change was made, or nothing is left of it.
  func retry(_ id: DeadLetter.ID, countsCaptured: Bool, _ writer: Writer) throws -> Bool {
    guard let letter = try deadLetters(StoredRefusal.where { $0.number == id }, writer).first,
      let op = letter.op, let table = schema.present[op.row.table]
    else { return false }
    let visible = VisibleRows(schema: schema, writer: writer)
    if try StoredRefusal.inPlace(id, of: op.row, schema, writer) != nil {
      guard try outbox.reinsert(op.row, writer) else { return false }
      try forget(id, of: op.row, writer)
      return true
    }
    let refusal = try StoredRefusal.where { $0.number == id }.first(writer)
    let replaced = ReplacedFields(
      schema: schema, table: table, visible: visible, redone: refusal?.redone?.fields ?? [:],
      countsCaptured: countsCaptured)
    let redoing = Redoing(visible: visible, table: table)
    let isDone = try writer.savepoint { _ in
      guard let rest = try replaced.rest(of: op, isLost: letter.isLost) else { return true }
      let isNew = try !visible.exists(op.row)
      guard try redoing.redo(rest, countersOnce: letter.isLost) else { return false }
      try replaced.note(rest, isNew: isNew)
      return true
    }
    if isDone { try forget(id, of: op.row, writer) }
    return isDone
  }

  private func deadLetters(
    _ refusals: Query<StoredRefusal>, _ reader: Reader
  ) throws -> [DeadLetter] {
    try refusals.order { $0.number }.all(reader).compactMap { refusal in
      guard let number = refusal.number else { return nil }
      return DeadLetter(
        id: number, date: refusal.date, row: refusal.row, scope: refusal.scope,
        rejection: Rejection(.init(rawValue: refusal.code), refusal.message, row: refusal.row),
        op: refusal.op, attempts: Int(clamping: refusal.attempts))
    }
  }
}

/// A row of `_dead`: a change that cannot be sent, was refused, or cannot be shown.
struct StoredRefusal {
  /// The number; assigned when the change is stored.
  private(set) var number: Int64?
  /// The time of the refusal by the device's clock, in milliseconds since 1970.
  let date: Int64
  let tableName: String
  let id: String
  /// The scope, or `nil` if the row has no valid scope.
  let scope: ScopeID?
  let code: String
  let message: String
  private(set) var op: Op?
  /// The values that an earlier refused change of the row gave it when the user made it again, or `nil`.
  private(set) var redone: Op?
  /// The number of times that the server has refused the change.
  private(set) var attempts: Int64 = 0

  /// Returns the refused change with another edit.
  func with(_ op: Op) -> StoredRefusal {
    var copy = self
    copy.op = op
    return copy
  }
}

extension StoredRefusal: Record {
  static let table = Table(
    "_dead", StoredRefusal.init,
    Column("number", \.number).primaryKey(),
    Column("at", \.date),
    Column("tbl", \.tableName),
    Column("id", \.id),
    Column("scope", \.scope, as: .scope),
    Column("code", \.code),
    Column("message", \.message),
    Column("op", \.op, as: .message),
    Column("redone", \.redone, as: .message),
    Column("attempts", \.attempts).default(0)
  ).ofLibrary()

  /// The condition of changes that a restored server lacks, by which SQLite finds the index of them.
  static let isLost: SQL = "substr(code, 1, 13) = 'lostByRestore'"

  /// Returns whether there are changes that a restored server lacks.
  static func hasLost(_ reader: Reader) throws -> Bool {
    try SQL("SELECT EXISTS (SELECT 1 FROM _dead WHERE \(isLost))").first(reader, as: Bool.self)
      ?? false
  }

  /// Returns the refused insertions that stay in their place, in no particular order.
  static func kept(
    _ schema: SyncSchema, _ reader: Reader, of rows: Set<RowID>? = nil
  ) throws -> [StoredRefusal] {
    let tables = schema.tables.filter(\.keepsRefused).map(\.sentName)
    guard !tables.isEmpty else { return [] }
    return try Self.where { $0.tableName.in(tables) && $0.op != nil }.all(reader).filter {
      $0.isInsertion && rows?.contains($0.row) != false
    }
  }

  /// Returns the refused insertion with a number if this device shows its row in its place: neither the
  /// server nor another scope has the row.
  static func inPlace(
    _ number: Int64, of row: RowID, _ schema: SyncSchema, _ reader: Reader
  ) throws -> StoredRefusal? {
    guard let table = schema[row.table],
      let kept = try kept(schema, reader, of: [row]).first(where: { $0.number == number })
    else { return nil }
    let isShown = try SQL(
      """
      SELECT EXISTS (
          SELECT 1 FROM \(identifier: table.name) WHERE \(identifier: table.idColumn) = \(row.id))
        AND EXISTS (
          SELECT 1 FROM _row WHERE tbl = \(row.table) AND id = \(row.id)
            AND scope = \(kept.scope?.text ?? "") AND hash = 0)
        AND NOT EXISTS (
          SELECT 1 FROM _row WHERE tbl = \(row.table) AND id = \(row.id) AND hash <> 0)
      """
    ).first(reader, as: Bool.self)
    return isShown == true ? kept : nil
  }

  /// Adds the values of a refused change to those of the refused insertion that it builds on, so that the
  /// row is shown with them. If the change is a deletion, the insertion is discarded.
  /// - Returns: `false` if there is no such insertion.
  @discardableResult
  static func include(
    _ op: Op, of scope: ScopeID, _ schema: SyncSchema, _ writer: Writer
  ) throws -> Bool {
    guard [.patch, .increment, .delete].contains(op.kind),
      let kept = try kept(schema, writer, of: [op.row]).last(where: { $0.scope == scope }),
      let insertion = kept.op
    else { return false }
    guard op.kind != .delete else {
      try Self.where { $0.number == kept.number }.delete(writer)
      return true
    }
    // The base has the versions of the values that were added: an earlier change may be refused later.
    var (fields, versions) = (insertion.fields, insertion.base)
    for (field, value) in op.fields {
      if op.kind == .increment, case .integer(let former)? = fields[field],
        case .integer(let more) = value
      {
        fields[field] = .integer(former &+ more)
      } else if versions[field].map({ $0 < op.stamp }) ?? true {
        (fields[field], versions[field]) = (value, op.stamp)
      }
    }
    let whole = Op(
      .put, op.row, generation: insertion.generation, fields: fields, base: versions,
      stamp: insertion.stamp)
    try kept.with(whole).save(writer)
    return true
  }

  /// Records in the later refused changes of a row that an earlier one has given it values again.
  static func noteRedone(
    _ values: [String: WireValue], by op: Op, _ writer: Writer
  ) throws {
    for var refusal in try of(op.row).all(writer) {
      guard let later = refusal.op, later.stamp > op.stamp else { continue }
      let known = refusal.redone?.fields ?? [:]
      refusal.redone = Op(
        .patch, op.row, fields: known.merging(values) { $1 }, stamp: op.stamp)
      try refusal.save(writer)
    }
  }

  /// Whether it is an insertion that the server has refused.
  private var isInsertion: Bool {
    op?.kind == .put && scope != nil && code != Rejection.Code.lostByRestore.rawValue
  }

  var row: RowID { RowID(table: tableName, id: id) }

  /// Returns the refused changes of a row.
  static func of(_ row: RowID) -> Query<StoredRefusal> {
    Self.where { $0.tableName == row.table && $0.id == row.id }
  }
}

/// The refused changes of the device, to which others are added within one write.
struct DeadLetters {
  let writer: Writer
  /// The time of the device's clock, in milliseconds since 1970.
  let now: Int64

  /// Stores a change that the server refused or that cannot be sent.
  /// - Parameter attempts: the number of times that the server has refused it.
  func add(
    _ row: RowID, in scope: ScopeID?, _ rejection: Rejection, op: Op? = nil, attempts: Int64 = 0
  ) throws {
    try StoredRefusal(
      date: now, tableName: row.table, id: row.id, scope: scope, code: rejection.code.rawValue,
      message: rejection.message, op: op, attempts: attempts
    ).insert(writer)
  }

  /// Records that a row with pending changes cannot be shown.
  func addCollision(of row: RowID, in scope: ScopeID, _ reason: String) throws {
    try removeCollision(of: row)
    try add(row, in: scope, Rejection(.collision, reason, row: row))
  }

  /// Deletes the record that a row could not be shown.
  func removeCollision(of row: RowID) throws {
    try StoredRefusal.of(row).where { $0.code == Rejection.Code.collision.rawValue }.delete(writer)
  }
}

extension Rejection.Code {
  /// The row violates a constraint of this device together with rows of the server.
  static let collision = Rejection.Code(rawValue: "collision")
}
