import OffshoreWire

/// The rows of a page for a table, with the values that are stored with them.
///
/// They are computed from the page alone, so a driver computes them outside of the write that
/// stores the page.
///
/// NB: A class, because passing it costs one reference count rather than one for each property, which
/// matters for each row.
final class PageRows: Sendable {
  /// A row of the page.
  struct Row: Sendable {
    let index: Int
    let id: String
    /// The encoded ``RowVersion``.
    let version: [UInt8]
    let hash: UInt64
    /// Whether the row exists, and the table can store its value of each column.
    let isWhole: Bool
  }

  let page: TablePage
  let table: SyncedTable
  let scope: ScopeID
  /// The values of each of the table's columns, by the index of the row.
  let values: [[WireValue?]]
  let rows: [Row]

  /// - Returns: `nil` if the page lacks a column of the table, or if a column consists of several
  ///   fields.
  init?(_ page: TablePage, of table: SyncedTable, in scope: ScopeID) {
    let names = page.columns.map(\.name)
    let places = table.columns.compactMap { names.firstIndex(of: $0.name) }
    guard places.count == table.columns.count,
      !table.columns.contains(where: \.policy.isCompound), var hashes = TablePage.Hashes(page)
    else { return nil }
    (self.page, self.table, self.scope) = (page, table, scope)
    values = places.map { page.columns[$0].values }
    let others = names.indices.filter { table[names[$0]] == nil }
    let unfit = Self.unfit(values, in: table)
    rows = page.heads.indices.map { index in
      let (versions, hash) = hashes.next(index)
      let head = page.heads[index]
      var version = RowVersion(
        generation: head.generation, presence: head.presence, stamp: head.stamp)
      for (column, stamp) in versions { version.versions[page.columns[column].name] = stamp }
      for place in others { version.unknown[names[place]] = page.columns[place].values[index] }
      let isWhole =
        version.isLiving && !unfit.contains(index)
        && (hashes.isWhole || places.allSatisfy { page.columns[$0].values[index] != nil })
        && !table.columns.contains { version.isSuperseded($0) }
      return Row(
        index: index, id: head.id, version: version.encoded(), hash: hash, isWhole: isWhole)
    }
  }

  /// Returns the indices of the rows with a value that the table cannot store.
  private static func unfit(_ values: [[WireValue?]], in table: SyncedTable) -> Set<Int> {
    var unfit: Set<Int> = []
    for (column, values) in zip(table.columns, values) {
      for (index, value) in values.enumerated() {
        if let value, !column.holds(value) { unfit.insert(index) }
      }
    }
    return unfit
  }
}
