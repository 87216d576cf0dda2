import Offshore

/// The positions of synced tables and columns in the journal.
///
/// A table has a number. A column has a place, which is its bit in the mask and the number of the
/// journal's column for its old values. Both outlive migrations, so that changes captured before a
/// migration can be sealed after it. A removed column retains its place while the table has
/// unsealed changes.
struct CaptureLayout: Codable, Equatable {
  struct Entry: Codable, Equatable {
    /// The name of the table in messages.
    let name: String
    /// The columns by place, without the id, by their names in messages.
    var columns: [String]
  }

  private(set) var tables: [Entry] = []

  /// Returns the number of a table, or `nil` if the journal does not have the table.
  /// - Parameter table: the name in messages.
  func number(of table: String) -> Int? { tables.firstIndex { $0.name == table } }

  /// The number of places of the widest table.
  var width: Int { tables.map(\.columns.count).max() ?? 0 }

  /// Returns the layout for a schema that may have changed.
  /// - Parameter isWaiting: returns whether the table with a number has unsealed changes.
  /// - Throws: ``ReplicaError`` with the code `declaration` if a table has no places left for new
  ///   columns until its changes have been sealed.
  func adapted(to schema: SyncSchema, isWaiting: (Int) throws -> Bool) throws -> CaptureLayout {
    var layout = self
    for table in schema.tables {
      let columns = table.valueColumns.map(\.sent)
      guard let number = number(of: table.sentName) else {
        layout.tables.append(Entry(name: table.sentName, columns: columns))
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
