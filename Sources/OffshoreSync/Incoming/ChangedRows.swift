import Offshore
import OffshoreWire

/// The rows of a page that this device shows in their confirmed state: the bulk of most pulls.
///
/// They are compared with the page's columns as they are read, and updated by one statement for
/// each set of changed columns. All other rows are left to ``RowApplication``.
struct ChangedRows {
  private let page: TablePage
  private let table: SyncedTable
  private let scope: ScopeID
  private let writer: Writer
  /// The values of each of the table's columns, by the index of the row.
  private let values: [[WireValue?]]
  private let select: String

  /// A row to update, with the hash of its stored state.
  private struct Known {
    let row: PageRows.Row
    let hash: UInt64
  }

  init(_ rows: PageRows, _ writer: Writer) {
    (page, table, scope, self.writer) = (rows.page, rows.table, rows.scope, writer)
    values = rows.values
    select = Self.select(from: rows.table)
  }

  /// Updates the rows that have no pending changes and exist in this scope only.
  /// - Returns: the indices of the other rows, and the sum to add to the digest for the updated
  ///   ones.
  func update(
    _ rows: [PageRows.Row], _ application: inout RowApplication
  ) throws -> (others: [Int], digest: UInt64) {
    var others: [Int] = []
    var seen: Set<String> = []
    var changes: [[Int]: [Known]] = [:]
    for row in rows {
      let id = page.heads[row.index].id
      if row.isWhole, application.isUntouched(table.name, id),
        let (hash, columns) = try difference(of: row.index, id), seen.insert(id).inserted
      {
        changes[columns, default: []].append(Known(row: row, hash: hash))
      } else {
        others.append(row.index)
      }
    }
    var digest: UInt64 = 0
    for (columns, rows) in changes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let (changed, refused) = try update(columns, of: rows, &application)
      try storeVersions(changed)
      if !columns.isEmpty {
        application.recordShown(changed.lazy.map(\.row.id), of: table.name)
        application.count(changed.count)
      }
      for known in changed { digest = digest &+ known.row.hash &- known.hash }
      others += refused.map(\.row.index)
    }
    return (others.sorted(), digest)
  }

  // MARK: - Reading

  private static func select(from table: SyncedTable) -> String {
    let columns = table.columns.map { ", shown.\(VisibleRows.quoted($0.presentName))" }.joined()
    // NB: A row with a shadow shows something other than its confirmed state. A row of several
    // scopes is found once for each of them, and the caller skips it.
    return """
      SELECT known.scope, known.hash\(columns) FROM _row AS known
      JOIN \(VisibleRows.quoted(table.presentName)) AS shown
        ON shown.\(VisibleRows.quoted(table.idColumn)) = known.id
      WHERE NOT EXISTS (SELECT 1 FROM _shadow WHERE tbl = known.tbl AND id = known.id)
        AND known.tbl
      """
  }

  /// Compares a row with the page.
  /// - Returns: the row's stored hash, and the indices of the columns whose values differ; `nil` if
  ///   the row does not show its confirmed state or exists in another scope, too.
  private func difference(of index: Int, _ id: String) throws -> (hash: UInt64, columns: [Int])? {
    let found = try writer.connection.fetch(
      "\(SQL(raw: select)) = \(table.name) AND known.id = \(id)", limit: 2
    ) { reader in
      let scope = try reader.value(String.self)
      let hash = UInt64(bitPattern: try reader.value(Int64.self))
      let columns = values.indices.filter {
        !Self.isSame(&reader, Int32($0 + 2), values[$0][index])
      }
      return (scope, hash, columns)
    }
    guard found.count == 1, let (scope, hash, columns) = found.first, scope == self.scope.text
    else { return nil }
    return (hash, columns)
  }

  /// Returns whether a column of the row has a value, without copying a text.
  private static func isSame(
    _ reader: inout RowReader, _ column: Int32, _ value: WireValue?
  ) -> Bool {
    switch value {
    case .text(let bytes)?:
      guard let shown = reader.text(column) else { return false }
      return bytes.withUnsafeBufferPointer { shown.elementsEqual($0) }
    default: return StoredValue.Codec.read(&reader, column).value == value
    }
  }

  // MARK: - Writing

  /// Sets columns of rows. A row that a constraint refuses is skipped.
  /// - Returns: the updated rows, and the refused ones.
  private func update(
    _ columns: [Int], of rows: [Known], _ application: inout RowApplication
  ) throws -> (changed: [Known], refused: [Known]) {
    guard !columns.isEmpty else { return (rows, []) }
    var (changed, refused): ([Known], [Known]) = ([], [])
    var rest = rows[...]
    while !rest.isEmpty {
      var count = 0
      do {
        try update(columns, of: rest, &count)
      } catch let error as DatabaseError where error.isDangling && !application.isDeferring {
        try application.deferReferences()
      } catch let error as DatabaseError where error.isRefusal {
        refused.append(rest[rest.startIndex + count])
        changed += rest.prefix(count)
        rest = rest.dropFirst(count + 1)
        continue
      }
      changed += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    return (changed, refused)
  }

  /// Sets columns of rows until a constraint refuses one.
  /// - Parameter count: set to the number of rows that were updated, also if the function throws.
  private func update(_ columns: [Int], of rows: ArraySlice<Known>, _ count: inout Int) throws {
    let names = columns.map { table.columns[$0].presentName }
    let assignments = names.map { "\(VisibleRows.quoted($0)) = ?" }.joined(separator: ", ")
    let clause = writer.updateClause(for: table.presentName, setting: names)
    // A row is bound only after the one before it was updated.
    count = -1
    try writer.run(
      """
      \(clause) \(VisibleRows.quoted(table.presentName)) SET \(assignments)
      WHERE \(VisibleRows.quoted(table.idColumn)) = ?
      """, each: rows
    ) { known, binder in
      count += 1
      for (place, column) in columns.enumerated() {
        StoredValue.bind(values[column][known.row.index], &binder, Int32(place + 1))
      }
      StringCodec.bind(page.heads[known.row.index].id, &binder, Int32(columns.count + 1))
    }
    count += 1
  }

  // NB: SQL, because one use of the statement for all rows is faster than an update of each record.
  private func storeVersions(_ rows: [Known]) throws {
    let text = scope.text
    try writer.run(
      "UPDATE _row SET state = ?, hash = ? WHERE tbl = ? AND id = ? AND scope = ?", each: rows
    ) { known, binder in
      known.row.version.withUnsafeBytes { binder.bind(blob: $0, 1) }
      binder.bind(Int64(bitPattern: known.row.hash), 2)
      StringCodec.bind(table.name, &binder, 3)
      StringCodec.bind(page.heads[known.row.index].id, &binder, 4)
      StringCodec.bind(text, &binder, 5)
    }
  }
}
