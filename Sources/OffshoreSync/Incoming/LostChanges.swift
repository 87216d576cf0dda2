import Offshore
import OffshoreWire

/// The refused changes of the code `lostByRestore`: the server's data was restored from a copy that lacks
/// them. The user may retry or discard them, and meanwhile:
///
/// - If all of a change is this device's own, it is made again at once, as soon as its row and the
///   rows that it refers to are there, unless another refused change has later values.
/// - If another device brings it back, the refused change is deleted.
struct LostChanges {
  let replica: Replica
  let writer: Writer
  /// The device whose changes these are.
  let device: DeviceID

  private let entries: RowEntries
  private let visible: VisibleRows

  init(replica: Replica, writer: Writer, device: DeviceID) {
    (self.replica, self.writer, self.device) = (replica, writer, device)
    entries = RowEntries(writer: writer)
    visible = VisibleRows(schema: replica.schema, writer: writer)
  }

  /// The text for programs that do not know the code.
  static let message = "The server's data was restored from a copy, which lacks this."

  // NB: Composed once, because it runs with each pull.
  private static let stored =
    StoredRefusal
    .where { $0.code == Rejection.Code.lostByRestore.rawValue }.order { $0.number }

  /// Makes the device's own lost changes again, and deletes those that have come back. Call it after
  /// an application, while changes are captured.
  /// - Parameter found: changes that were found during the application. Those that have not come
  ///   back are stored.
  func settleAll(_ found: [StoredRefusal]) throws {
    try run(try StoredRefusal.hasLost(writer) ? Self.stored.all(writer) : [], found)
  }

  /// Does the same for the changes of some rows, and for those of rows that may refer to them.
  func settle(after rows: @autoclosure () -> Set<RowID>) throws {
    let open = try SQL("SELECT number, tbl, id FROM _dead WHERE \(StoredRefusal.isLost)")
      .all(writer, as: Int64.self, String.self, String.self)
    if open.isEmpty { return }
    let rows = rows()
    let tables = Set(rows.map(\.table))
    let referring = Set(
      replica.schema.present.tables.filter { table in
        table.columns.contains { $0.reference.map(tables.contains) == true }
      }.map(\.name))
    let concerned = Set(
      open.filter { referring.contains($0.1) || rows.contains(RowID(table: $0.1, id: $0.2)) }
        .map(\.0))
    if concerned.isEmpty { return }
    // NB: All are read, because a statement has room for a limited number of keys.
    try run(
      try Self.stored.all(writer).filter { $0.number.map(concerned.contains) == true }, [])
  }

  /// The largest number of times that all changes are tried, each after the rows that it refers to.
  private static let mostPasses = 16

  private func run(_ stored: [StoredRefusal], _ found: [StoredRefusal]) throws {
    var open = stored + found
    guard !open.isEmpty else { return }
    var restored: Set<RowID> = []
    let pending = try pendingRows()
    let versions = LostVersions(open.compactMap(\.op)) { $0 != device }
    let own = LostVersions(open.compactMap(\.op)) { $0 == device }
    let lives = LostLives(open, of: device)
    // A row may need one that comes later.
    var (passes, count) = (0, Int.max)
    while open.count < count, passes < Self.mostPasses {
      (passes, count) = (passes + 1, open.count)
      open = try open.compactMap { refusal in
        guard let op = refusal.op else { return refusal }
        let isPending = pending.contains(op.row)
        // A change waits for the answer to later ones of its row, which it would replace.
        if isPending, refusal.number != nil { return refusal }
        let hasEnded = op.isOwn(of: device) && lives.hasEnded(op, in: refusal.scope)
        let decision = try rest(
          of: op, in: refusal.scope, isPending: isPending, hasEnded: hasEnded, besides: own)
        switch decision {
        case .nothing: break
        case .waiting: return refusal
        case .open(let rest, let replaced):
          guard rest.isOwn(of: device), !isPending, !versions.supersede(rest),
            try mayWrite(refusal.scope), try redo(rest)
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
    // NB: Without the check at the end of a user's write: the server decides whether the account may
    // make the changes again.
    if !restored.isEmpty { try Outbox.endTransaction(writer, nil) }
  }

  /// Returns the rows with changes that are not answered yet, whether they are sealed or not.
  private func pendingRows() throws -> Set<RowID> {
    let layout = try CaptureLayout(writer)
    let captured = try SQL("SELECT DISTINCT tbl, id FROM _outbox WHERE typeof(id) = 'text'")
      .all(writer, as: Int.self, String.self)
    var rows: Set<RowID> = []
    for (number, id) in captured where layout.tables.indices.contains(number) {
      rows.insert(RowID(table: layout.tables[number].name, id: id))
    }
    for sealed in try SealedBatch.all.all(writer) { rows.formUnion(sealed.batch.ops.map(\.row)) }
    return rows
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

  /// - Parameters:
  ///   - isPending: whether changes of the row are not answered yet. The server reports their
  ///     conflicts.
  ///   - hasEnded: whether the device has deleted the row and inserted it again since.
  ///   - own: the device's own versions in all lost changes. Its user has replaced the earlier ones.
  private func rest(
    of op: Op, in scope: ScopeID?, isPending: Bool, hasEnded: Bool, besides own: LostVersions
  ) throws -> Rest {
    guard let scope, let table = replica.schema.present[op.row.table] else { return .waiting }
    // The server may never have had the device's own changes, so they do not go silently.
    let staysIfReplaced = op.isOwn(of: device) && !isPending
    let all = try entries.all(of: op.row)
    var op = op
    if case .move(let target) = op.kind, all[target]?.version.isLiving == true {
      // Another device has moved the row there too; the other values may still be lost.
      op = part(of: op, op.fields.filter { $0.key != table.scopeColumn })
      if op.fields.isEmpty { return .nothing }
    }
    let found = living(all, in: scope)
    if hasEnded, op.kind != .delete || found == nil { return .nothing }
    guard let (place, entry) = found else {
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
      // A later life of the row has come back.
      if place == scope, op.generation < entry.version.generation { return .nothing }
      return place == scope || op.kind == .increment ? .open(op, replaced: nil) : .waiting
    }
    let (lost, replaced) = try missingFields(of: op, entry.version, in: table, besides: own)
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
    of op: Op, _ now: RowVersion, in table: SyncedTable, besides own: LostVersions
  ) throws -> (lost: [String: WireValue], replaced: [String: WireValue]) {
    let values = try visible.values(of: op.row, in: table) ?? [:]
    let shown = now.state(values, in: table).fields
    let missing = op.fields.filter { field, value in
      guard let version = op.base[field], table.policy(of: field) != .counter else { return false }
      return (shown[field] ?? .null) != value && !own.isLater(field, of: op.row, than: version)
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
    guard let table = replica.schema.present[op.row.table] else { return false }
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

/// The last insertions by a device among the changes that a restored server lacks.
private struct LostLives {
  private var generations: [ScopeID?: [RowID: Int64]] = [:]

  init(_ refusals: [StoredRefusal], of device: DeviceID) {
    for refusal in refusals {
      guard let op = refusal.op, op.kind == .put, op.isOwn(of: device) else { continue }
      let last = generations[refusal.scope]?[op.row] ?? 0
      generations[refusal.scope, default: [:]][op.row] = max(last, op.generation)
    }
  }

  /// Returns whether the device has inserted the row of a change again since.
  func hasEnded(_ op: Op, in scope: ScopeID?) -> Bool {
    generations[scope]?[op.row].map { $0 > op.generation } == true
  }
}

/// The latest versions that some devices gave to values in refused changes that a restored server lacks.
struct LostVersions {
  private var latest: [RowID: [String: Stamp]] = [:]
  /// The rows that a refused change moves to another scope.
  private var moved: Set<RowID> = []

  /// - Parameter isCounted: returns whether the versions of a device count.
  init(_ ops: [Op], of isCounted: (DeviceID) -> Bool) {
    for op in ops {
      if op.kind.isMove { moved.insert(op.row) }
      latest[op.row, default: [:]].merge(op.base.filter { isCounted($0.value.device) }) {
        max($0, $1)
      }
    }
  }

  /// Returns whether the changes have later values than another change, or bring its row from another
  /// scope.
  func supersede(_ op: Op) -> Bool {
    if op.kind == .put, moved.contains(op.row) { return true }
    return op.base.contains { field, version in isLater(field, of: op.row, than: version) }
  }

  /// Returns whether the changes have a later value of a field.
  func isLater(_ field: String, of row: RowID, than version: Stamp) -> Bool {
    latest[row]?[field].map { $0 > version } == true
  }
}

extension Op {
  /// Returns a refused change that waits until the device that inserted its row has sent it again.
  /// Its base has the versions of its own values.
  /// - Parameter wasApplied: whether the server had applied the change before it was restored. Values
  ///   that later ones had replaced, which are refused changes now, are left out then.
  /// - Returns: `nil` if all values are left out.
  func lostByRestore(_ wasApplied: Bool, _ writer: Writer) throws -> Op? {
    func lost(_ fields: [String: WireValue]) -> Op {
      Op(
        kind, row, generation: generation, fields: fields,
        base: fields.keys.reduce(into: [:]) { $0[$1] = version(of: $1) }, stamp: stamp)
    }
    guard wasApplied, kind == .patch else { return lost(fields) }
    let others = try StoredRefusal.of(row)
      .where { $0.code == Rejection.Code.lostByRestore.rawValue }.all(writer)
    let versions = LostVersions(others.compactMap(\.op)) { $0 != stamp.device }
    let latest = fields.filter { !versions.isLater($0.key, of: row, than: version(of: $0.key)) }
    return latest.isEmpty ? nil : lost(latest)
  }

  /// Returns whether a device wrote all values of a lost change.
  func isOwn(of device: DeviceID) -> Bool {
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
