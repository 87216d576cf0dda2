import OffshoreWire

/// What is known of the rows that are to be worked out anew, each scope's confirmed state included.
///
/// Of a row that shows just what is confirmed, the app's table has the values and `_row` the rest.
/// That is put together here before either of them changes. Where the table then does not take what
/// the row is to show, this is the only place that still tells what is confirmed.
struct KnownRows {
  let entries: RowEntries
  let visible: VisibleRows
  /// In each of these, every entry has a shadow.
  private var unresolved: [RowID: [ScopeID: RowEntry]] = [:]
  /// The same of rows that were worked out and then refused.
  private var refused: [RowID: [ScopeID: RowEntry]] = [:]

  init(entries: RowEntries, visible: VisibleRows) {
    self.entries = entries
    self.visible = visible
  }

  var isEmpty: Bool { unresolved.isEmpty }

  /// The rows that are to be worked out, in order.
  var rows: [RowID] { unresolved.keys.sorted() }

  /// What is known of a row that is to be worked out.
  subscript(row: RowID) -> [ScopeID: RowEntry]? { unresolved[row] }

  /// What is kept of a row, with what is confirmed in every scope.
  func all(of row: RowID, _ table: SyncedTable) throws -> [ScopeID: RowEntry] {
    try completed(try entries.all(of: row), row, table)
  }

  // MARK: - Noting

  /// Has a row worked out anew, from what is kept of it.
  mutating func add(
    _ row: RowID, _ found: [ScopeID: RowEntry], _ table: SyncedTable
  ) throws {
    unresolved[row] = try completed(found, row, table)
  }

  /// Notes what a row that is to be worked out is on the server.
  /// - Returns: the hash that counted before.
  mutating func confirm(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID, _ table: SyncedTable
  ) -> UInt64 {
    let before = unresolved[row]?[scope]
    let shadow = RowEntry.Shadow(confirmed: state, reason: before?.shadow?.reason)
    if let state {
      unresolved[row]?[scope] = RowEntry(
        version: RowVersion(state, in: table), hash: hash, shadow: shadow)
    } else if let before {
      unresolved[row]?[scope] = RowEntry(version: before.version, shadow: shadow)
    }
    return before?.hash ?? 0
  }

  // MARK: - Working out

  /// What is known of a row that is worked out now.
  mutating func take(_ row: RowID) -> [ScopeID: RowEntry]? {
    refused[row] = nil
    return unresolved.removeValue(forKey: row)
  }

  /// Keeps what is known of a row that was refused: its table does not show it.
  mutating func keep(_ known: [ScopeID: RowEntry], of row: RowID) { refused[row] = known }

  /// Adds what is confirmed wherever no shadow tells it: the row itself does, unless it was refused.
  private func completed(
    _ found: [ScopeID: RowEntry], _ row: RowID, _ table: SyncedTable
  ) throws -> [ScopeID: RowEntry] {
    guard found.values.contains(where: { $0.shadow == nil }) else { return found }
    let kept = refused[row]
    let values = kept == nil ? try visible.values(of: row, in: table) ?? [:] : [:]
    var result = found
    for (scope, entry) in found where entry.shadow == nil {
      result[scope]?.shadow =
        kept?[scope]?.shadow
        ?? RowEntry.Shadow(confirmed: entry.version.state(values, in: table))
    }
    return result
  }
}
