import OffshoreWire

/// The changes of a batch before they are stored, which a rejection discards.
struct StagedBatch {
  /// A row of a scope.
  struct Place: Hashable {
    let scope: ScopeID
    let row: RowID
  }

  /// The state of a row, or `nil` for an unknown one, with the bytes of its fields.
  struct Known {
    let state: RowState?
    let bytes: Int
  }

  /// The next state of a row, with the bytes of its fields.
  struct Next {
    let row: SyncedRow
    let bytes: Int
  }

  /// An edit that was refused before, and is applied now.
  struct Reapplied: Hashable {
    let row: RowID
    let stamp: Stamp
  }

  let manifest: Manifest
  /// The next states of the scopes that the batch changes.
  private(set) var scopes: [ScopeID: ScopeState] = [:]
  private(set) var rows: [Place: Next] = [:]
  /// The bytes of the fields in all states before and after the batch, which are held in memory, and
  /// of the values in its conflicts, which are stored.
  private(set) var heldBytes = 0
  /// The bytes that were read and written, some of them for several ops of a row.
  private(set) var processedBytes = 0
  var reapplied: Set<Reapplied> = []
  /// The states of scopes before the batch.
  private var knownScopes: [ScopeID: ScopeState] = [:]
  /// The states of rows before the batch.
  private var known: [Place: Known] = [:]
  /// Whether rows before the batch exist, cached because many rows of a batch refer to the same
  /// one.
  private var presences: [Place: RowState.Presence?] = [:]
  private var conflicts: [(scope: ScopeID, conflict: NumberedConflict)] = []
  /// For each referenced row, the rows that begin (`true`) or cease (`false`) to refer to it.
  private var references: [Place: [RowID: Bool]] = [:]

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// Returns the state of a row after the staged changes.
  mutating func state(_ place: Place, on transaction: some StorageTransaction) throws -> Known {
    if let next = rows[place] { return Known(state: next.row.state, bytes: next.bytes) }
    if let known = known[place] { return known }
    let state = try transaction.row(place.row, in: place.scope)?.state
    let known = Known(state: state, bytes: state?.byteCount ?? 0)
    self.known[place] = known
    heldBytes += known.bytes
    processedBytes += known.bytes
    return known
  }

  /// Returns whether a row exists after the staged changes, without its values; `nil` if it is
  /// unknown.
  mutating func presence(
    _ place: Place, on transaction: some StorageTransaction
  ) throws -> RowState.Presence? {
    if let next = rows[place] { return next.row.state.presence }
    if let known = known[place] { return known.state?.presence }
    if let presence = presences[place] { return presence }
    let presence = try transaction.presence(of: place.row, in: place.scope)
    presences[place] = .some(presence)
    return presence
  }

  /// Returns the state of a scope after the staged changes.
  mutating func scope(_ id: ScopeID, on transaction: some StorageTransaction) throws -> ScopeState {
    if let scope = scopes[id] ?? knownScopes[id] { return scope }
    let scope = try transaction.scope(id)
    knownScopes[id] = scope
    return scope
  }

  // MARK: - Changes

  /// Records that an op was merged into a row.
  /// - Parameter bytes: the bytes of the row's fields before and after.
  mutating func countMerge(of bytes: Int) { processedBytes += bytes }

  /// Stages the next state of a row, under the next sequence number of its scope.
  ///
  /// ``finishDigests()`` updates the digests.
  /// - Parameter bytes: the bytes of the state's fields.
  mutating func write(
    _ state: RowState, bytes: Int, over old: Known, at place: Place,
    on transaction: some StorageTransaction
  ) throws {
    var scope = try scope(place.scope, on: transaction)
    let seq = scope.count(old.state, old.bytes, replacedBy: state, bytes)
    scopes[place.scope] = scope
    let next = Next(row: SyncedRow(place.row, seq: seq, state: state), bytes: bytes)
    heldBytes += bytes - (rows.updateValue(next, forKey: place)?.bytes ?? 0)
    let change = ReferenceChange(of: place.row, from: old.state, to: state, manifest)
    for parent in change.removed { record(place, refersTo: parent, false) }
    for parent in change.added { record(place, refersTo: parent, true) }
  }

  private mutating func record(_ place: Place, refersTo parent: RowID, _ refers: Bool) {
    references[Place(scope: place.scope, row: parent), default: [:]][place.row] = refers
  }

  /// Stages a conflict, under the next number of its scope.
  mutating func add(
    _ conflict: Conflict, in id: ScopeID, on transaction: some StorageTransaction
  ) throws {
    var scope = try scope(id, on: transaction)
    scope.conflicts += 1
    scopes[id] = scope
    conflicts.append((id, NumberedConflict(number: scope.conflicts, conflict)))
    let bytes = conflict.losing.byteCount + (conflict.winning?.byteCount ?? 0)
    heldBytes += bytes
    processedBytes += bytes
  }

  /// Updates the digests of the scopes, once for each row, because the hash of a row takes time.
  mutating func finishDigests() {
    for (place, next) in rows {
      scopes[place.scope]?.digest
        .replace(known[place]?.state, with: next.row.state, of: place.row)
    }
  }

  /// Records the account that a scope's rows count for, if the scope has none.
  mutating func setPayer(_ account: AccountID, of scope: ScopeID) {
    if scopes[scope]?.payer == nil { scopes[scope]?.payer = account }
  }

  // MARK: - Storing

  /// Stores all changes.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  func store(at now: Int64, in transaction: inout some StorageTransaction) throws {
    for (place, next) in rows.sorted(by: { $0.value.row.seq < $1.value.row.seq }) {
      try transaction.store(
        next.row, over: known[place]?.state, in: place.scope, manifest, at: now)
    }
    for (parent, rows) in references {
      transaction.changes.add(parent.row, in: parent.scope)
      for (row, refers) in rows {
        if refers {
          try transaction.addReference(from: row, to: parent.row, in: parent.scope)
        } else {
          try transaction.removeReference(from: row, to: parent.row, in: parent.scope)
        }
      }
    }
    for (scope, state) in scopes { try transaction.setScope(scope, state) }
    for (scope, conflict) in conflicts {
      try transaction.addConflict(conflict, in: scope, at: now)
    }
  }
}

/// The references that a change of a row removes and adds, and the facts about access.
struct ReferenceChange {
  let removed: Set<RowID>
  let added: Set<RowID>

  init(of row: RowID, from old: RowState?, to new: RowState, _ manifest: Manifest) {
    let columns = manifest[row.table]?.references ?? []
    let rules = manifest.accessRules.filter { $0.isLimited(by: row.table) }
    guard
      !rules.isEmpty
        || columns.contains(where: { old?.fields[$0.name] != new.fields[$0.name] })
    else {
      (removed, added) = ([], [])
      return
    }
    let before = Set(columns.compactMap { column in old.flatMap(column.referencedRow) })
      .union(AccessFact.facts(of: row, old?.fields, rules))
    let after = Set(columns.compactMap { $0.referencedRow(in: new) })
      .union(AccessFact.facts(of: row, new.fields, rules))
    (removed, added) = (before.subtracting(after), after.subtracting(before))
  }
}
