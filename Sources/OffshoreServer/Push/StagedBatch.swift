import OffshoreWire

/// What a batch is about to change, while it is not certain that all of it can be taken.
struct StagedBatch {
  /// A row of a scope.
  struct Place: Hashable {
    let scope: ScopeID
    let row: RowID
  }

  private(set) var scopes: [ScopeID: ScopeState] = [:]
  private(set) var rows: [Place: SyncedRow] = [:]
  /// The edits that were refused before, and are taken now.
  var remade: [(row: RowID, stamp: Stamp)] = []
  private var conflicts: [(scope: ScopeID, conflict: NumberedConflict)] = []

  /// The row as the batch leaves it, or as it was.
  func state(_ place: Place, on log: some ChangeLogReader) throws -> RowState? {
    if let row = rows[place] { return row.state }
    return try log.row(place.row, in: place.scope)?.state
  }

  /// Gives a row its next state, as a change with the scope's next number.
  mutating func write(
    _ state: RowState, over old: RowState?, at place: Place, on log: some ChangeLogReader
  ) throws {
    var scope = try scope(place.scope, on: log)
    scope.head += 1
    scope.digest.replace(old, with: state, of: place.row)
    scopes[place.scope] = scope
    rows[place] = SyncedRow(place.row, seq: scope.head, state: state)
  }

  /// Notes a value that does not stay, under the scope's next number.
  mutating func note(
    _ conflict: Conflict, in id: ScopeID, on log: some ChangeLogReader
  ) throws {
    var scope = try scope(id, on: log)
    scope.conflicts += 1
    scopes[id] = scope
    conflicts.append((id, NumberedConflict(number: scope.conflicts, conflict)))
  }

  private func scope(_ id: ScopeID, on log: some ChangeLogReader) throws -> ScopeState {
    try scopes[id] ?? log.scope(id)
  }

  func store(in log: inout some ChangeLogWriter) throws {
    for (place, row) in rows.sorted(by: { $0.value.seq < $1.value.seq }) {
      try log.setRow(row, in: place.scope)
    }
    for (scope, state) in scopes { try log.setScope(scope, state) }
    for (scope, conflict) in conflicts { try log.addConflict(conflict, in: scope) }
  }
}
