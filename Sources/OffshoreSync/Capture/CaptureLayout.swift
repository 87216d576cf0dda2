import Offshore

/// Where the columns of synced tables are in the journal: which number, which bit, which old value.
///
/// Numbers outlive migrations, so that changes captured before one can be sealed after it. A column
/// that went keeps its place as long as changes of its table wait.
struct CaptureLayout: Codable, Equatable {
  struct Entry: Codable, Equatable {
    let name: String
    /// The columns by place, the id aside.
    var columns: [String]
  }

  private(set) var tables: [Entry] = []

  /// The number of a table.
  func number(of table: String) -> Int? { tables.firstIndex { $0.name == table } }

  /// The number of places that the widest table takes.
  var width: Int { tables.map(\.columns.count).max() ?? 0 }

  /// Gives columns of a table other names, all at once.
  ///
  /// A column that went leaves its name to the one that has it now.
  mutating func rename(_ names: [String: String], in number: Int) {
    let taken = Set(names.values)
    tables[number].columns = tables[number].columns.map { column in
      names[column] ?? (taken.contains(column) ? "" : column)
    }
  }

  /// The layout for a schema that may have changed.
  /// - Parameter isWaiting: whether changes of the table of a number are not sealed yet.
  /// - Throws: ``SyncError`` where a table has no room for the columns that came, until its changes
  ///   have been sealed.
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
        throw SyncError(
          .declaration,
          "“\(table.name)” has had too many columns since its changes were last sealed. Seal them.")
      }
    }
    return layout
  }
}
