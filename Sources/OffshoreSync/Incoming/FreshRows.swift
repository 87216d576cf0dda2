import Offshore
import OffshoreWire

/// The rows of one table that are new to this device, inserted in bulk during a first sync.
///
/// Values are bound directly from the columns of the pages, with one statement for the app's table
/// and one for `_row`. The rows of all pages are inserted in the order of their ids, so that those
/// close to each other in the file are written together.
struct FreshRows {
  /// The rows of a page that were not inserted, and the sum of the hashes of the others.
  struct Result {
    var others: [PageRows.Row] = []
    var digest: UInt64 = 0
  }

  /// A row, with the index of its page.
  private struct Entry: Comparable {
    let page: Int
    let row: PageRows.Row

    static func == (left: Entry, right: Entry) -> Bool {
      left.page == right.page && left.row.id == right.row.id
    }

    static func < (left: Entry, right: Entry) -> Bool {
      left.row.id < right.row.id || left.row.id == right.row.id && left.page < right.page
    }
  }

  private let table: SyncedTable
  private let pages: [PageRows]
  private let areNewScopes: Bool
  private let writer: Writer

  /// - Parameters:
  ///   - pages: pages of one table, of different scopes.
  ///   - areNewScopes: whether few of the rows are known, because nothing of the scopes was applied before,
  ///     or only other rows.
  init(_ pages: [PageRows], of table: SyncedTable, areNewScopes: Bool, _ writer: Writer) {
    (self.table, self.pages) = (table, pages)
    (self.areNewScopes, self.writer) = (areNewScopes, writer)
  }

  /// Inserts the rows that are complete and new to the device.
  ///
  /// If the device shows all rows of the table that it has, the app's table refuses those that are
  /// not new. The rows of new scopes are therefore inserted without a lookup of each: only after a
  /// refusal are the remaining ones looked up.
  /// - Returns: the result of each page.
  func insert(into application: inout RowApplication) throws -> [Result] {
    var results = [Result](repeating: Result(), count: pages.count)
    var rest = entries(of: application, &results)[...]
    if try areNewScopes && application.refusesKnownRows(of: table) {
      rest = rest.dropFirst(try insert(rest, into: &application, &results))
    }
    if !rest.isEmpty {
      let known = try self.known(rest)
      for entry in rest where known.contains(entry.row.id) {
        results[entry.page].others.append(entry.row)
      }
      rest.removeAll { known.contains($0.row.id) }
    }
    while !rest.isEmpty {
      rest = rest.dropFirst(try insert(rest, into: &application, &results))
      if let refused = rest.popFirst() { results[refused.page].others.append(refused.row) }
    }
    return results
  }

  /// Returns the rows to insert, by their ids, and adds the others to the results.
  private func entries(of application: RowApplication, _ results: inout [Result]) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(pages.reduce(0) { $0 + $1.rows.count })
    for (page, rows) in pages.enumerated() {
      for row in rows.rows {
        if row.isWhole, application.isUntouched(table.name, row.id) {
          entries.append(Entry(page: page, row: row))
        } else {
          results[page].others.append(row)
        }
      }
    }
    entries.sort()
    // A row that is in two scopes at once is inserted from one of them.
    for index in entries.indices.dropFirst().reversed()
    where entries[index].row.id == entries[index - 1].row.id {
      let entry = entries.remove(at: index)
      results[entry.page].others.append(entry.row)
    }
    return entries
  }

  /// Returns the ids of those rows that the device already has, in any scope.
  // NB: SQL, because it runs for each row, and composing a query would take longer than running it.
  private func known(_ entries: ArraySlice<Entry>) throws -> Set<String> {
    let select = "SELECT id FROM _row WHERE tbl = ? AND id = ?"
    var known: Set<String> = []
    for entry in entries {
      let found = try writer.hasRow(select) { binder in
        StringCodec.bind(table.name, &binder, 1)
        StringCodec.bind(entry.row.id, &binder, 2)
      }
      if found { known.insert(entry.row.id) }
    }
    return known
  }

  /// - Parameter results: the results to which the hashes of the inserted rows are added.
  /// - Returns: the number of rows that were inserted before one was refused.
  private func insert(
    _ entries: ArraySlice<Entry>, into application: inout RowApplication,
    _ results: inout [Result]
  ) throws -> Int {
    var inserted = 0
    do {
      try insert(entries, &inserted)
    } catch let error as DatabaseError
      where error.isDangling && application.mayDefer && !application.isDeferring
    {
      try application.deferReferences()
      do {
        try insert(entries.dropFirst(inserted), &inserted)
      } catch let error as DatabaseError where error.isRefusal {}
    } catch let error as DatabaseError where error.isRefusal {}
    let shown = entries.prefix(inserted)
    try VersionRow.store(
      shown.lazy.map { [scopes = pages.map(\.scope.text)] entry in
        (entry.row.id, scopes[entry.page], entry.row.version, entry.row.hash)
      }, of: table.name, writer)
    application.recordShown(shown.lazy.map(\.row.id), of: table.name)
    application.count(inserted)
    for entry in shown { results[entry.page].digest &+= entry.row.hash }
    return inserted
  }

  private func insert(_ entries: ArraySlice<Entry>, _ inserted: inout Int) throws {
    let columns = table.columns.map(\.presentName)
    let names = ([table.idColumn] + columns).map(VisibleRows.quoted).joined(separator: ", ")
    let marks = String(repeating: ", ?", count: columns.count)
    let clause = writer.insertClause(for: table.presentName)
    // A row is bound only after the previous one was inserted.
    inserted -= 1
    try writer.run(
      "\(clause) INTO \(VisibleRows.quoted(table.presentName)) (\(names)) VALUES (?\(marks))",
      each: entries
    ) { entry, binder in
      inserted += 1
      StringCodec.bind(entry.row.id, &binder, 1)
      pages[entry.page].bind(entry.row.index, &binder, from: 2)
    }
    inserted += 1
  }
}

extension PageRows {
  /// Binds the values of a row, in the order of the table's columns.
  fileprivate func bind(_ row: Int, _ binder: inout RowWriter, from first: Int32) {
    for place in values.indices {
      StoredValue.bind(values[place][row], &binder, Int32(place) + first)
    }
  }
}
