import Offshore
import OffshoreWire

/// The rows of a page that are new to this device, inserted in bulk during a first sync.
///
/// Values are bound directly from the page's columns, with one statement for the app's table and
/// one for `_row`.
struct FreshRows {
  let table: SyncedTable
  let scope: ScopeID
  let writer: Writer
  /// The index of each of the table's columns in the page.
  let places: [Int]
  let page: TablePage
  /// Whether nothing of the scope was applied before.
  private let isNewScope: Bool
  /// Whether every row of the page has every column.
  private let isWhole: Bool
  private var hashes: TablePage.Hashes

  /// A row of the page.
  struct Row {
    let index: Int
    let id: String
    let version: RowVersion
    let hash: UInt64
    /// Whether the row exists and has all columns of the table.
    let isWhole: Bool
  }

  /// - Returns: `nil` if the columns of the page and the table differ, or if a column consists of
  ///   several fields.
  init?(
    _ page: TablePage, of table: SyncedTable, in scope: ScopeID, isNew isNewScope: Bool,
    _ writer: Writer
  ) {
    let names = page.columns.map(\.name)
    let places = table.columns.compactMap { names.firstIndex(of: $0.name) }
    guard places.count == table.columns.count, places.count == names.count,
      !table.columns.contains(where: \.policy.isCompound), let hashes = TablePage.Hashes(page)
    else { return nil }
    (self.page, self.table, self.scope, self.writer) = (page, table, scope, writer)
    (self.places, self.hashes, self.isNewScope) = (places, hashes, isNewScope)
    isWhole = hashes.isWhole
  }

  /// Inserts the rows that are complete and new to the device.
  ///
  /// If the device shows all rows of the table that it has, the app's table refuses those that are
  /// not new. The rows of a new scope are therefore inserted without a lookup of each: only after a
  /// refusal are the remaining ones looked up.
  /// - Returns: the other rows, and the sum of the hashes of the inserted rows.
  mutating func insert(
    into application: inout RowApplication
  ) throws -> (others: [Row], digest: UInt64) {
    var rows: [Row] = []
    rows.reserveCapacity(page.count)
    var others: [Row] = []
    for index in page.heads.indices {
      let row = self.row(index)
      if row.isWhole, application.isUntouched(table.name, row.id) {
        rows.append(row)
      } else {
        others.append(row)
      }
    }
    var digest: UInt64 = 0
    if try isNewScope && application.refusesKnownRows(of: table) {
      let inserted = try insert(rows[...], into: &application, &digest)
      rows.removeFirst(inserted)
    }
    if !rows.isEmpty {
      let known = try self.known(rows)
      others += rows.filter { known.contains($0.id) }
      rows.removeAll { known.contains($0.id) }
      let inserted = try insert(rows[...], into: &application, &digest)
      others += rows[inserted...]
    }
    return (others, digest)
  }

  private mutating func row(_ index: Int) -> Row {
    let (versions, hash) = hashes.next(index)
    let head = page.heads[index]
    var version = RowVersion(
      generation: head.generation, presence: head.presence, stamp: head.stamp)
    for (column, stamp) in versions { version.versions[page.columns[column].name] = stamp }
    let hasAll = isWhole || places.allSatisfy { page.columns[$0].values[index] != nil }
    return Row(
      index: index, id: head.id, version: version, hash: hash, isWhole: version.isLiving && hasAll)
  }

  /// Returns the ids of those rows that the device already has, in any scope.
  // NB: SQL, because it runs for each row, and composing a query would take longer than running it.
  private func known(_ rows: [Row]) throws -> Set<String> {
    let select = "SELECT id FROM _row WHERE tbl = ? AND id = ?"
    var known: Set<String> = []
    for row in rows {
      let found = try writer.hasRow(select) { binder in
        StringCodec.bind(table.name, &binder, 1)
        StringCodec.bind(row.id, &binder, 2)
      }
      if found { known.insert(row.id) }
    }
    return known
  }

  /// - Parameter digest: the sum to which the hashes of the inserted rows are added.
  /// - Returns: the number of rows that were inserted before one was refused.
  private func insert(
    _ rows: ArraySlice<Row>, into application: inout RowApplication, _ digest: inout UInt64
  ) throws -> Int {
    var inserted = 0
    do {
      try insert(rows, &inserted)
    } catch let error as DatabaseError where error.isDangling && !application.isDeferring {
      try application.deferReferences()
      do {
        try insert(rows.dropFirst(inserted), &inserted)
      } catch let error as DatabaseError where error.isRefusal {}
    } catch let error as DatabaseError where error.isRefusal {}
    let shown = rows.prefix(inserted)
    try storeVersions(shown)
    application.recordShown(shown.lazy.map(\.id), of: table.name)
    application.count(inserted)
    for row in shown { digest &+= row.hash }
    return inserted
  }

  private func insert(_ rows: ArraySlice<Row>, _ inserted: inout Int) throws {
    let columns = table.columns.map(\.name)
    let names = ([table.idColumn] + columns).map(VisibleRows.quoted).joined(separator: ", ")
    let marks = String(repeating: ", ?", count: columns.count)
    let clause = writer.insertClause(for: table.name)
    // A row is bound only after the previous one was inserted.
    inserted -= 1
    try writer.run(
      "\(clause) INTO \(VisibleRows.quoted(table.name)) (\(names)) VALUES (?\(marks))", each: rows
    ) { row, binder in
      inserted += 1
      StringCodec.bind(row.id, &binder, 1)
      for (place, column) in places.enumerated() {
        StoredValue.bind(page.columns[column].values[row.index], &binder, Int32(place + 2))
      }
    }
    inserted += 1
  }

  // NB: SQL, because one use of the statement for all rows is faster than an insertion of each record.
  private func storeVersions(_ rows: ArraySlice<Row>) throws {
    let text = scope.text
    try writer.run(
      """
      INSERT INTO _row (tbl, id, scope, state, hash) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (tbl, id, scope) DO UPDATE SET state = excluded.state, hash = excluded.hash
      """, each: rows
    ) { row, binder in
      StringCodec.bind(table.name, &binder, 1)
      StringCodec.bind(row.id, &binder, 2)
      StringCodec.bind(text, &binder, 3)
      row.version.encoded().withUnsafeBytes { binder.bind(blob: $0, 4) }
      binder.bind(Int64(bitPattern: row.hash), 5)
    }
  }
}
