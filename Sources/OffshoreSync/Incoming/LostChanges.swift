import Offshore
import OffshoreWire

/// The rows and values of a device that the server's data lacks since it was restored from a copy.
///
/// They are found before the older data is applied, because that removes them. Those that the pending
/// changes do not bring back afterwards are stored as refused changes of the code `lostByRestore`,
/// which the user may retry or discard:
///
/// - If all of a change is this device's own, it is made again at once, as soon as its row and the
///   rows that it refers to are there.
/// - If another device brings it back, the refused change is deleted.
///
/// Counters are never part of a change of an existing row: their increments come back only from the
/// devices that made them, so that they count once.
struct LostChanges {
  let replica: Replica
  let writer: Writer
  /// The current time of the device's clock, in milliseconds since 1970.
  let now: Int64
  /// The device whose changes these are.
  let device: DeviceID

  private let entries: RowEntries
  private let visible: VisibleRows
  private var found: [StoredRefusal] = []

  init(replica: Replica, writer: Writer, now: Int64, device: DeviceID) {
    (self.replica, self.writer, self.now, self.device) = (replica, writer, now, device)
    entries = RowEntries(writer: writer)
    visible = VisibleRows(schema: replica.schema, writer: writer)
  }

  /// Whether the server's data lacks anything.
  var hasFound: Bool { !found.isEmpty }

  // MARK: - Finding

  /// Records what a snapshot of older data lacks. Call it when all pages have arrived, before they are
  /// applied.
  /// - Parameter page: the last page; the others are staged.
  mutating func find(in scope: ScopeID, _ page: ScopePage) throws {
    // Of a row that arrived several times, the last state counts.
    var lost: [RowID: Op?] = [:]
    for staged in try StagedPage.of(scope).order({ $0.key }).all(writer) {
      try compare(try staged.rows, in: scope, &lost)
    }
    try compare(page.rows, in: scope, &lost)
    for row in try entries.rows(of: scope) where lost[row] == nil {
      lost[row] = .some(try loss(of: row, nil, in: scope))
    }
    // The device sends its own changes again that the server has never had. Those that it had, others
    // have replaced or deleted.
    let sendsAll = try SentBatches(writer: writer)
      .areComplete(of: device, in: scope, after: page.lastBatch)
    add(lost.compactMapValues { sendsAll && $0?.isOwn(of: device) == true ? nil : $0 }, in: scope)
  }

  /// Records all rows of a scope that the older data does not grant.
  mutating func findAll(in scope: ScopeID) throws {
    var lost: [RowID: Op] = [:]
    for row in try entries.rows(of: scope) { lost[row] = try loss(of: row, nil, in: scope) }
    add(lost, in: scope)
  }

  private func compare(
    _ page: RowPage, in scope: ScopeID, _ lost: inout [RowID: Op?]
  ) throws {
    for table in page.tables {
      for arrived in table.rows {
        lost[arrived.row] = .some(try loss(of: arrived.row, arrived.state, in: scope))
      }
    }
  }

  private mutating func add(_ lost: [RowID: Op], in scope: ScopeID) {
    for (row, op) in lost.sorted(by: { $0.key < $1.key }) {
      found.append(
        StoredRefusal(
          date: now, tableName: row.table, id: row.id, scope: scope,
          code: Rejection.Code.lostByRestore.rawValue, message: Self.message, op: op))
    }
  }

  /// The text for programs that do not know the code.
  static let message = "The server's data was restored from a copy, which lacks this."

  /// Returns the change that brings back what a row has more than the server's state.
  /// - Returns: `nil` if it has nothing more, or if this device has deleted the row. The server may
  ///   know the deletion and have no tombstone any more.
  private func loss(of row: RowID, _ state: RowState?, in scope: ScopeID) throws -> Op? {
    guard let table = replica.schema.manifest[row.table],
      let entry = try entries.all(of: row)[scope], entry.version.presence != .deleted,
      let known = try confirmed(row, entry, table), known.isLiving
    else { return nil }
    guard let state, state.generation >= known.generation else { return whole(row, known, table) }
    guard state.isLiving, state.generation == known.generation else { return nil }
    let newer = known.fields.filter { field, value in
      guard table.policy(of: field) != .counter, value != state.fields[field] ?? .null,
        let version = known.version(of: field)
      else { return false }
      return state.version(of: field).map { $0 < version } ?? true
    }
    return newer.isEmpty ? nil : change(.patch, row, newer, known)
  }

  private func confirmed(
    _ row: RowID, _ entry: RowEntry, _ table: SyncedTable
  ) throws -> RowState? {
    if let shadow = entry.shadow { return shadow.confirmed }
    return try visible.values(of: row, in: table).map { entry.version.state($0, in: table) }
  }

  /// Returns the insertion of a row.
  ///
  /// Counters begin at 0, because each device sends its own increments again, and the author of the
  /// row the value that it was inserted with. Only the author keeps that value.
  private func whole(_ row: RowID, _ known: RowState, _ table: SyncedTable) -> Op {
    var fields = known.fields.filter { table[FieldName($0.key).column] != nil }
    for column in table.columns
    where column.policy == .counter
      && (known.versions[column.name] != nil || known.stamp.device != device)
    {
      fields[column.name] = .integer(0)
    }
    return change(.put, row, fields, known)
  }

  private func change(
    _ kind: Op.Kind, _ row: RowID, _ fields: [String: WireValue], _ known: RowState
  ) -> Op {
    let base = fields.keys.reduce(into: [:]) { $0[$1] = known.version(of: $1) }
    return Op(
      kind, row, generation: known.generation, fields: fields, base: base,
      stamp: kind == .put ? known.stamp : base.values.max() ?? known.stamp)
  }

  // MARK: - Settling

  // NB: Composed once, because it runs with each pull.
  private static let stored =
    StoredRefusal
    .where { $0.code == Rejection.Code.lostByRestore.rawValue }.order { $0.number }

  /// Makes the device's own lost changes again, stores the others, and deletes those that have come
  /// back. Call it after the application, while changes are captured.
  func settle() throws {
    var open = try Self.stored.all(writer) + found
    guard !open.isEmpty else { return }
    var restored: Set<RowID> = []
    // A change waits for the answer to later ones of its row, which it would replace.
    let pending = try pendingRows()
    // A row may need one that comes later.
    var count = Int.max
    while open.count < count {
      count = open.count
      open = try open.compactMap { refusal in
        guard let op = refusal.op, refusal.number == nil || !pending.contains(op.row) else {
          return refusal
        }
        let isPending = pending.contains(op.row)
        switch try rest(of: op, in: refusal.scope, isPending: isPending) {
        case .nothing: break
        case .waiting: return refusal
        case .open(let rest, let replaced):
          guard rest.isOwn(of: device), !isPending, try mayWrite(refusal.scope), try redo(rest)
          else {
            return rest == op || replaced != nil ? refusal : try narrowed(refusal, to: rest)
          }
          if let replaced { return try narrowed(refusal, to: replaced) }
        }
        restored.insert(op.row)
        if let number = refusal.number {
          try StoredRefusal.where { $0.number == number }.delete(writer)
        }
        return nil
      }
    }
    for refusal in open where refusal.number == nil { try refusal.insert(writer) }
    try replica.derivations.run(for: restored, writer)
  }

  private func pendingRows() throws -> Set<RowID> {
    try SealedBatch.all.all(writer).reduce(into: []) { rows, sealed in
      rows.formUnion(sealed.batch.ops.map(\.row))
    }
  }

  /// Leaves out the values that have come back.
  private func narrowed(_ refusal: StoredRefusal, to rest: Op) throws -> StoredRefusal {
    let narrowed = refusal.with(rest)
    if narrowed.number != nil { try narrowed.save(writer) }
    return narrowed
  }

  /// The decision about a lost change.
  private enum Rest {
    /// All of it has come back, or was replaced or deleted since.
    case nothing
    /// The first part can be made again. Later values have replaced the second one, and the server
    /// has not reported that as a conflict.
    case open(Op, replaced: Op?)
    /// It cannot be made again now.
    case waiting
  }

  /// - Parameter isPending: whether changes of the row are not answered yet. The server reports
  ///   their conflicts.
  private func rest(of op: Op, in scope: ScopeID?, isPending: Bool) throws -> Rest {
    guard let scope, let table = replica.schema.manifest[op.row.table] else { return .waiting }
    // The server may never have had the device's own changes, so they do not go silently.
    let staysIfReplaced = op.isOwn(of: device) && !isPending
    let all = try entries.all(of: op.row)
    guard let (place, entry) = living(all, in: scope) else {
      // The row was deleted or moved by a change that came back.
      if let ended = all[scope]?.version, ended.generation > op.generation {
        return op.kind == .delete || !staysIfReplaced ? .nothing : .waiting
      }
      return op.kind == .delete ? .waiting : .open(op, replaced: nil)
    }
    if place != scope, !entry.isConfirmed { return .waiting }
    if place == scope, op.generation > entry.version.generation {
      // The life of the row that a deletion ends comes first.
      return op.kind == .put ? .open(op, replaced: nil) : .waiting
    }
    guard op.kind == .put || op.kind == .patch else {
      return place == scope || op.kind == .increment ? .open(op, replaced: nil) : .waiting
    }
    let (lost, replaced) = try missingFields(of: op, entry.version, in: table)
    let others = staysIfReplaced && !replaced.isEmpty ? part(of: op, replaced) : nil
    if lost.isEmpty { return others == nil ? .nothing : .waiting }
    if op.kind == .patch, lost.count == op.fields.count { return .open(op, replaced: nil) }
    return .open(part(of: op, lost), replaced: others)
  }

  private func part(of op: Op, _ fields: [String: WireValue]) -> Op {
    let base = op.base.filter { fields[$0.key] != nil }
    return Op(
      .patch, op.row, generation: op.generation, fields: fields, base: base,
      stamp: base.values.max() ?? op.stamp)
  }

  /// Returns the values of a lost change that a row does not have: those without a later value, and
  /// those with one.
  private func missingFields(
    of op: Op, _ now: RowVersion, in table: SyncedTable
  ) throws -> (lost: [String: WireValue], replaced: [String: WireValue]) {
    let values = try visible.values(of: op.row, in: table) ?? [:]
    let shown = now.state(values, in: table).fields
    let missing = op.fields.filter { field, value in
      table.policy(of: field) != .counter && op.base[field] != nil
        && (shown[field] ?? .null) != value
    }
    let lost = missing.filter { field, _ in
      guard let lost = op.base[field] else { return false }
      // A row that was moved or inserted again has all values with the version of that change,
      // whatever their versions were.
      return now.version(of: field) < lost || op.kind == .patch && now.versions[field] == nil
    }
    return (lost, missing.filter { lost[$0.key] == nil })
  }

  /// Returns the scope that shows a row, if possible the given one, with the row's entry.
  private func living(
    _ all: [ScopeID: RowEntry], in scope: ScopeID
  ) -> (ScopeID, RowEntry)? {
    if let entry = all[scope], entry.version.isLiving { return (scope, entry) }
    let others = all.filter { $0.value.version.isLiving }
    return others.min { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func mayWrite(_ scope: ScopeID?) throws -> Bool {
    guard let scope else { return false }
    let role = try ScopeCursor.of(scope, writer).role
    return role?.canWrite ?? replica.schema.manifest.claimableKinds.contains(scope.kind)
  }

  /// - Returns: whether the change was made.
  private func redo(_ op: Op) throws -> Bool {
    guard let table = replica.schema.manifest[op.row.table] else { return false }
    struct Dangling: Error {}
    do {
      return try writer.savepoint { writer in
        let isDone = try Redoing(visible: visible, table: table).redo(op)
        if writer.connection.hasDanglingReferences { throw Dangling() }
        return isDone
      }
    } catch is Dangling {
      return false
    } catch let error as DatabaseError where error.isRefusal {
      return false
    }
  }
}

extension Op {
  /// Returns a refused change that waits until the device that inserted its row has sent it again.
  /// Its base has the versions of its own values.
  var lostByRestore: Op {
    Op(
      kind, row, generation: generation, fields: fields,
      base: fields.keys.reduce(into: [:]) { $0[$1] = version(of: $1) }, stamp: stamp)
  }

  /// Returns whether a device wrote all values of a lost change.
  fileprivate func isOwn(of device: DeviceID) -> Bool {
    stamp.device == device && base.values.allSatisfy { $0.device == device }
  }
}

extension RowEntry {
  /// Whether the server has the row.
  fileprivate var isConfirmed: Bool { shadow.map { $0.confirmed?.isLiving == true } ?? true }
}

extension Rejection.Code {
  /// The server's data was restored from a copy that lacks the change.
  static let lostByRestore = Rejection.Code(rawValue: "lostByRestore")
}
