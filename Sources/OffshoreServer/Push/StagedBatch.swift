import OffshoreWire

/// The changes of a batch before they are stored, which a rejection discards.
struct StagedBatch {
  /// A row of a scope.
  struct Place: Hashable {
    let scope: ScopeID
    let row: RowID
  }

  let manifest: Manifest
  private(set) var scopes: [ScopeID: ScopeState] = [:]
  private(set) var rows: [Place: SyncedRow] = [:]
  /// The states of rows before the batch, cached because many rows of a batch refer to the same
  /// one.
  private var known: [Place: RowState?] = [:]
  /// The edits that were refused before, and are applied now.
  var reapplied: [(row: RowID, stamp: Stamp)] = []
  private var conflicts: [(scope: ScopeID, conflict: NumberedConflict)] = []
  /// For each referenced row, the rows that begin (`true`) or cease (`false`) to refer to it.
  private var references: [Place: [RowID: Bool]] = [:]

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// Returns the state of a row after the staged changes.
  mutating func state(_ place: Place, on transaction: some StorageTransaction) throws -> RowState? {
    if let row = rows[place] { return row.state }
    if let state = known[place] { return state }
    let state = try transaction.row(place.row, in: place.scope)?.state
    known[place] = .some(state)
    return state
  }

  /// Returns the rows that may refer to a row after the staged changes, in the order of their
  /// `RowID`s.
  func referrers(of place: Place, on transaction: some StorageTransaction) throws -> [RowID] {
    var rows = Set(try transaction.referrers(of: place.row, in: place.scope))
    for (row, refers) in references[place] ?? [:] {
      if refers { rows.insert(row) } else { rows.remove(row) }
    }
    return rows.sorted()
  }

  // MARK: - Changes

  /// Stages the next state of a row, under the next sequence number of its scope.
  mutating func write(
    _ state: RowState, over old: RowState?, at place: Place, on transaction: some StorageTransaction
  ) throws {
    var scope = try scope(place.scope, on: transaction)
    scope.head += 1
    scope.digest.replace(old, with: state, of: place.row)
    scopes[place.scope] = scope
    rows[place] = SyncedRow(place.row, seq: scope.head, state: state)
    recordReferences(of: state, over: old, at: place)
  }

  private mutating func recordReferences(of state: RowState, over old: RowState?, at place: Place) {
    let columns = manifest[place.row.table]?.references ?? []
    guard columns.contains(where: { old?.fields[$0.name] != state.fields[$0.name] }) else { return }
    let before = Set(columns.compactMap { column in old.flatMap(column.referencedRow) })
    let after = Set(columns.compactMap { $0.referencedRow(in: state) })
    for parent in before.subtracting(after) { record(place, refersTo: parent, false) }
    for parent in after.subtracting(before) { record(place, refersTo: parent, true) }
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
  }

  private func scope(_ id: ScopeID, on transaction: some StorageTransaction) throws -> ScopeState {
    try scopes[id] ?? transaction.scope(id)
  }

  // MARK: - Storing

  func store(in transaction: inout some StorageTransaction) throws {
    for (place, row) in rows.sorted(by: { $0.value.seq < $1.value.seq }) {
      try transaction.setRow(row, in: place.scope)
    }
    for (parent, rows) in references {
      for (row, refers) in rows { try store(refers, row, parent, in: &transaction) }
    }
    for (scope, state) in scopes { try transaction.setScope(scope, state) }
    for (scope, conflict) in conflicts { try transaction.addConflict(conflict, in: scope) }
  }

  private func store(
    _ refers: Bool, _ row: RowID, _ parent: Place, in transaction: inout some StorageTransaction
  ) throws {
    if refers {
      try transaction.addReference(from: row, to: parent.row, in: parent.scope)
    } else {
      try transaction.removeReference(from: row, to: parent.row, in: parent.scope)
    }
  }
}
