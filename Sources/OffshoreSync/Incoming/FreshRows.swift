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
  init?(_ page: TablePage, of table: SyncedTable, in scope: ScopeID, _ writer: Writer) {
    let names = page.columns.map(\.name)
    let places = table.columns.compactMap { names.firstIndex(of: $0.name) }
    guard places.count == table.columns.count, places.count == names.count,
      !table.columns.contains(where: \.policy.isCompound), let hashes = TablePage.Hashes(page)
    else { return nil }
    (self.page, self.table, self.scope, self.writer) = (page, table, scope, writer)
    (self.places, self.hashes) = (places, hashes)
    isWhole = hashes.isWhole
  }

  /// Inserts the rows that are complete and new to the device.
  /// - Returns: the other rows, and the sum of the hashes of the inserted rows.
  mutating func insert(
    into application: inout RowApplication
  ) throws -> (others: [Row], digest: UInt64) {
    let known = try self.known(&application)
    var rows: [Row] = []
    rows.reserveCapacity(page.count)
    var others: [Row] = []
    for index in page.heads.indices {
      let row = self.row(index)
      if row.isWhole, known.isEmpty || !known.contains(row.id),
        application.isUntouched(table.name, row.id)
      {
        rows.append(row)
      } else {
        others.append(row)
      }
    }
    let inserted = try insert(rows, into: &application)
    application.recordShown(rows[..<inserted].lazy.map(\.id), of: table.name)
    application.count(inserted)
    others += rows[inserted...]
    return (others, rows[..<inserted].reduce(0) { $0 &+ $1.hash })
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

  /// Returns the ids of the page's rows that the device already has, in any scope.
  ///
  /// The pages of a snapshot ascend. If the table had no rows at the start, a page that begins
  /// after the last row of the previous page has only new rows.
  private func known(_ application: inout RowApplication) throws -> Set<String> {
    guard let (first, last) = bounds(), let arrived = try arrived(application) else {
      application.arrivals.updateValue(nil, forKey: table.name)
      return try known()
    }
    application.arrivals[table.name] = max(arrived, last)
    return arrived < first ? [] : try known()
  }

  private func arrived(_ application: RowApplication) throws -> String? {
    if let arrived = application.arrivals[table.name] { return arrived }
    return try VersionRow.where { $0.tableName == table.name }.exists(writer) ? nil : ""
  }

  /// Returns the first and the last id of the page, or `nil` if the ids do not ascend.
  private func bounds() -> (first: String, last: String)? {
    guard let first = page.heads.first?.id, let last = page.heads.last?.id else { return nil }
    let ascend = page.heads.indices.dropFirst().allSatisfy {
      page.heads[$0 - 1].id < page.heads[$0].id
    }
    return ascend ? (first, last) : nil
  }

  // NB: SQL, because it runs for each row, and composing a query would take longer than running it.
  private func known() throws -> Set<String> {
    let select = "SELECT id FROM _row WHERE tbl = ? AND id = ?"
    var known: Set<String> = []
    for index in page.heads.indices {
      let found = try writer.hasRow(select) { binder in
        StringCodec.bind(table.name, &binder, 1)
        StringCodec.bind(page.heads[index].id, &binder, 2)
      }
      if found { known.insert(page.heads[index].id) }
    }
    return known
  }

  /// - Returns: the number of rows that were inserted before one was refused.
  private func insert(_ rows: [Row], into application: inout RowApplication) throws -> Int {
    var inserted = 0
    do {
      try insert(rows[...], &inserted)
    } catch let error as DatabaseError where error.isDangling && !application.isDeferring {
      try application.deferReferences()
      do {
        try insert(rows[inserted...], &inserted)
      } catch let error as DatabaseError where error.isRefusal {}
    } catch let error as DatabaseError where error.isRefusal {}
    try storeVersions(rows[..<inserted])
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

  private func storeVersions(_ rows: ArraySlice<Row>) throws {
    let stored = rows.map { row in
      VersionRow(
        tableName: table.name, id: row.id, scope: scope, version: row.version, hash: row.hash)
    }
    try VersionRow.insert(contentsOf: stored, writer)
  }
}
