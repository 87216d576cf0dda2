import Offshore

/// The positions of synced tables and columns in the journal.
///
/// A table has a number. A column has a place, which is its bit in the mask and the number of the
/// journal's column for its old values. Both outlive migrations, so that changes captured before a
/// migration can be sealed after it. A removed column retains its place while the table has
/// unsealed changes.
struct CaptureLayout: Codable, Equatable {
  struct Entry: Codable, Equatable {
    let name: String
    /// The columns by place, without the id.
    var columns: [String]
  }

  private(set) var tables: [Entry] = []

  /// Returns the number of a table, or `nil` if the journal does not have the table.
  func number(of table: String) -> Int? { tables.firstIndex { $0.name == table } }

  /// The number of places of the widest table.
  var width: Int { tables.map(\.columns.count).max() ?? 0 }

  /// Renames columns of a table, all at once.
  ///
  /// If a column receives the name of a removed one, the removed column loses it.
  /// - Parameter names: the new names, by the former ones.
  mutating func rename(_ names: [String: String], in number: Int) {
    let taken = Set(names.values)
    tables[number].columns = tables[number].columns.map { column in
      names[column] ?? (taken.contains(column) ? "" : column)
    }
  }

  /// Returns the layout for a schema that may have changed.
  /// - Parameter isWaiting: returns whether the table with a number has unsealed changes.
  /// - Throws: ``ReplicaError`` with the code `declaration` if a table has no places left for new
  ///   columns until its changes have been sealed.
  func adapted(to schema: SyncSchema, isWaiting: (Int) throws -> Bool) throws -> CaptureLayout {
    var layout = self
    for table in schema.tables {
      let columns = table.definitions.filter { !$0.isPrimaryKey }.map(\.name)
      guard let number = number(of: table.name) else {
        layout.tables.append(Entry(name: table.name, columns: columns))
        continue
      }
      let former = try isWaiting(number) ? tables[number].columns : []
      let known = Set(former)
      layout.tables[number].columns = former + columns.filter { !known.contains($0) }
      guard layout.tables[number].columns.count <= SyncTableCheck.columnLimit else {
        throw ReplicaError(
          .declaration,
          "“\(table.name)” has had too many columns since its changes were last sealed. Seal them.")
      }
    }
    return layout
  }
}
