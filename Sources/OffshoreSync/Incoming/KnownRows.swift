import OffshoreWire

/// The rows whose visible state has to be computed again, with their confirmed state in every
/// scope.
///
/// For a row that shows its confirmed state, the app's table has the values and `_row` the rest.
/// They are combined here before either of them changes. If the table then refuses the row's new
/// values, the confirmed state exists only here.
struct KnownRows {
  let entries: RowEntries
  let visible: VisibleRows
  /// The entries of the rows to compute. Each entry has a shadow.
  private var unresolved: [RowID: [ScopeID: RowEntry]] = [:]
  /// The entries of rows that were computed and then refused. Each entry has a shadow.
  private var refused: [RowID: [ScopeID: RowEntry]] = [:]

  init(entries: RowEntries, visible: VisibleRows) {
    self.entries = entries
    self.visible = visible
  }

  var isEmpty: Bool { unresolved.isEmpty }

  /// The rows to compute, in order.
  var rows: [RowID] { unresolved.keys.sorted() }

  /// The entries of a row to compute, or `nil` if it is not one of them.
  subscript(row: RowID) -> [ScopeID: RowEntry]? { unresolved[row] }

  /// Returns the stored entries of a row, with its confirmed state in every scope.
  func all(of row: RowID, _ table: SyncedTable) throws -> [ScopeID: RowEntry] {
    try completed(try entries.all(of: row), row, table)
  }

  // MARK: - Recording

  /// Adds a row to compute.
  /// - Parameter found: the stored entries of the row.
  mutating func add(
    _ row: RowID, _ found: [ScopeID: RowEntry], _ table: SyncedTable
  ) throws {
    unresolved[row] = try completed(found, row, table)
  }

  /// Records the server's state of a row to compute.
  /// - Parameter state: the state, or `nil` if the server does not have the row.
  /// - Returns: the hash of the former confirmed state, or 0.
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

  // MARK: - Computing

  /// Removes a row that is computed now, and returns its entries.
  mutating func removeUnresolved(_ row: RowID) -> [ScopeID: RowEntry]? {
    refused[row] = nil
    return unresolved.removeValue(forKey: row)
  }

  /// Stores the entries of a refused row, because its table does not have the values.
  mutating func storeRefused(_ known: [ScopeID: RowEntry], of row: RowID) { refused[row] = known }

  /// Adds the confirmed state to each entry without a shadow, from the visible row or, if the row
  /// was refused, from its former entries.
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
