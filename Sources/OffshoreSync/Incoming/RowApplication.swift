import Offshore
import OffshoreWire

/// The update of the app's rows to their confirmed states with the pending ops merged over them,
/// inside one write.
///
/// New states and ops are first recorded by ``confirm(_:_:hash:in:)`` and ``touch(_:)``; then
/// ``finish()`` updates the app's rows. A row that a constraint refuses is hidden: its state is
/// stored with the reason, and each later application retries it.
struct RowApplication {
  let schema: SyncSchema
  let merge: Merge
  let writer: Writer
  let pending: PendingOps
  /// The scopes that the device knows.
  let cursors: [ScopeID: ScopeCursor]
  let deadLetters: DeadLetters

  /// The rows of watched tables that were changed or refused, or that have no pending change any
  /// more, by table.
  private(set) var shown: [String: Set<String>] = [:]
  /// The number of visible rows that were inserted, updated or removed.
  private(set) var changedCount = 0
  /// The tables whose rows are recorded in ``shown``.
  private let watched: Set<String>
  /// Whether foreign keys are checked only at the end of the transaction.
  private(set) var isDeferring = false
  /// Whether the bulk insertion of rows may defer that check, because the rows to which they refer follow.
  var mayDefer = true
  private let entries: RowEntries
  private let visible: VisibleRows
  private var known: KnownRows
  private var removals: [RowID] = []
  /// The results of ``refusesKnownRows(of:)``, by table.
  private var refusing: [String: Bool] = [:]
  /// The rows that were recorded as deleted or unknown to the server. A later page may insert them
  /// again.
  private var forgotten: Set<RowID> = []
  /// The files to which confirmed states of the computed rows refer, by scope.
  private var confirmedFiles: [ScopeID: Set<BlobReference>] = [:]
  /// The rows that a constraint refused, with the fields that they should show.
  private var refused: [RowID: [String: WireValue]] = [:]

  init(
    schema: SyncSchema, merge: Merge, writer: Writer, pending: PendingOps, deadLetters: DeadLetters,
    cursors: [ScopeID: ScopeCursor], watched: Set<String> = []
  ) {
    self.watched = watched
    self.schema = schema
    self.merge = merge
    self.writer = writer
    self.pending = pending
    self.deadLetters = deadLetters
    self.cursors = cursors
    entries = RowEntries(writer: writer)
    visible = VisibleRows(schema: schema, writer: writer)
    known = KnownRows(entries: entries, visible: visible)
  }

  // MARK: - Recording

  /// Adds to ``changedCount``.
  mutating func count(_ rows: Int) { changedCount += rows }

  /// Records rows of a table in ``shown`` if the table is watched.
  mutating func recordShown(_ ids: some Sequence<String>, of table: String) {
    guard watched.contains(table) else { return }
    shown[table, default: []].formUnion(ids)
  }

  /// Records the root rows of a scope in ``shown``, because its members or the account's role there have
  /// changed.
  mutating func recordMembers(of scope: ScopeID) {
    guard !watched.isEmpty else { return }
    for root in schema.roots(of: scope) { recordShown([root.id], of: root.table) }
  }

  /// Records also the rows of a scope with unsent files, which are not sent if the account may not write it any
  /// more.
  mutating func recordRole(in scope: ScopeID) throws {
    guard !watched.isEmpty else { return }
    recordMembers(of: scope)
    for row in try UnsentFiles(schema: schema, reader: writer).rows(in: scope) {
      recordShown([row.id], of: row.table)
    }
  }

  /// Returns whether a row has no pending ops, and this application has recorded nothing about it.
  func isUntouched(_ row: RowID) -> Bool {
    hasNoRecords || pending[row].isEmpty && known[row] == nil && !forgotten.contains(row)
  }

  /// Does the same for the row of a table with an id, and creates a `RowID` only if it needs one.
  func isUntouched(_ table: String, _ id: String) -> Bool {
    hasNoRecords || isUntouched(RowID(table: table, id: id))
  }

  /// Whether all rows are untouched.
  private var hasNoRecords: Bool { pending.entries.isEmpty && known.isEmpty && forgotten.isEmpty }

  /// Returns whether the app's table refuses the insertion of each row that the device has already
  /// and that this application has recorded nothing about.
  ///
  /// This is the case if all of the table's rows were shown before this application, and if a conflict
  /// in the table is an error.
  mutating func refusesKnownRows(of table: SyncedTable) throws -> Bool {
    if let refuses = refusing[table.name] { return refuses }
    // NB: SQL, because the index serves only a query with its own condition.
    let hides = try SQL(
      """
      SELECT EXISTS (SELECT 1 FROM _row WHERE tbl = \(table.name) AND \(VersionRow.isAbsent))
        OR EXISTS (SELECT 1 FROM _shadow WHERE tbl = \(table.name))
      """
    ).first(writer, as: Bool.self)
    let refuses = hides == false && writer.failsOnConflict(table.presentName)
    refusing[table.name] = refuses
    return refuses
  }

  /// Records the server's state of a row.
  /// - Parameters:
  ///   - row: the row.
  ///   - state: the state, or `nil` if the server does not have the row.
  ///   - hash: the hash of the state, or 0 if the row does not exist.
  ///   - scope: the scope of the state.
  /// - Returns: the hash of the former confirmed state, or 0.
  mutating func confirm(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID
  ) throws -> UInt64 {
    guard let table = schema.present[row.table] else {
      if row.table == MemberRow.table { recordMembers(of: scope) }
      return try entries.keepUnknown(row, state, hash: hash, in: scope)
    }
    if known[row] == nil {
      let found = try entries.all(of: row)
      let entry = found[scope]
      if isUntouched(row), entry?.shadow == nil, found.count == (entry == nil ? 0 : 1),
        cursors[scope]?.isHidden != true
      {
        try confirmAlone(row, state, hash: hash, in: scope, table, wasKnown: entry != nil)
        return entry?.hash ?? 0
      }
      try known.add(row, found, table)
    }
    return known.confirm(row, state, hash: hash, in: scope, table)
  }

  /// Records the state of a row that shows just this state, because it has no pending ops and no
  /// other entry.
  private mutating func confirmAlone(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID, _ table: SyncedTable,
    wasKnown: Bool
  ) throws {
    guard let state else {
      try entries.remove(row, in: scope)
      remove(row)
      forgotten.insert(row)
      return
    }
    try entries.save(RowVersion(state, in: table), hash: hash, of: row, in: scope)
    guard state.isLiving else {
      if wasKnown { remove(row) }
      // A later page may have the row's next generation.
      forgotten.insert(row)
      return
    }
    guard try !show(state, of: row, table) else { return }
    try entries.save(RowEntry.Shadow(confirmed: state), of: row, in: scope)
    try touch(row)
  }

  /// Inserts a row that is new to this device, or stores its tombstone.
  ///
  /// A row that a constraint refuses is not hidden: nothing is stored.
  /// - Returns: `false` if the row is refused, or not new.
  mutating func insertAlone(
    _ row: RowID, _ state: RowState, hash: UInt64, in scope: ScopeID
  ) throws -> Bool {
    guard let table = schema.present[row.table], isUntouched(row), try entries.all(of: row).isEmpty,
      try !visible.exists(row)
    else { return false }
    if state.isLiving {
      do {
        try visible.show(visible.fields(of: state, in: table), of: row, in: table)
      } catch let error as DatabaseError where error.isRefusal {
        // The row may have been inserted, but its defaults refused.
        try visible.remove(row, in: table)
        return false
      }
      recordShown([row.id], of: row.table)
      count(1)
    }
    try entries.save(RowVersion(state, in: table), hash: hash, of: row, in: scope)
    return true
  }

  /// Marks a row to be computed again, because its ops have changed.
  mutating func touch(_ row: RowID) throws {
    guard known[row] == nil, let table = schema.present[row.table] else { return }
    try known.add(row, try entries.all(of: row), table)
  }

  /// Marks all rows of a scope to be computed again.
  mutating func touchAll(in scope: ScopeID) throws {
    for row in try entries.rows(of: scope) { try touch(row) }
  }

  // MARK: - Showing

  /// Updates the app's rows to everything that was recorded.
  /// - Throws: `DatabaseError` for a failure that no row causes, such as a full disk.
  mutating func finish() throws {
    try showRows()
    for (scope, files) in confirmedFiles {
      try FileAcceptance(writer: writer).record(files, in: scope)
    }
    confirmedFiles = [:]
  }

  private mutating func showRows() throws {
    for row in try entries.hiddenRows() { try touch(row) }
    var hidden = try showAll()
    // Rows that exchanged unique values block each other until one of them is hidden. So hidden
    // rows are retried.
    while !hidden.isEmpty {
      for row in hidden.sorted() { try touch(row) }
      let left = try showAll()
      guard left.count < hidden.count else { return }
      hidden = left
    }
  }

  /// - Returns: the rows that were hidden.
  private mutating func showAll() throws -> Set<RowID> {
    // Rows are removed last: the app's foreign keys might delete rows with them that are about to
    // refer to another row.
    removals.removeAll { known[$0] != nil }
    for row in known.rows { try resolve(row) }
    try FormerScopes(schema: schema, writer: writer).store(removals, pending) {
      cursors[$0]?.shownRole?.canRead == true
    }
    count(try removals.count { try visible.exists($0) })
    var collisions = Collisions(visible: visible, refused: refused, removals: removals)
    try collisions.run()
    if !removals.isEmpty {
      removals = []
      // Removing rows may have changed rows with pending changes that refer to them.
      for row in pending.rows(of: referring) {
        try touch(row)
        try resolve(row)
      }
      collisions.retry(refused, removals)
    }
    (refused, removals) = ([:], [])
    return try hideCollisions(&collisions)
  }

  private var referring: Set<String> {
    Set(
      schema.present.tables.filter { $0.columns.contains { $0.reference != nil } }.map(\.name))
  }

  /// Computes the visible state of a row from its entries and pending ops, and stores the new
  /// entries.
  private mutating func resolve(_ row: RowID) throws {
    guard let table = schema.present[row.table], let all = known.removeUnresolved(row) else {
      return
    }
    // NB: Also of a row that shows something else. Its files may have been unknown at the acknowledgement: a
    // row that was moved, or changed by others, while this device has changed it.
    for (scope, entry) in all where entry.hash != 0 {
      let files = BlobReference.all(in: entry.shadow?.confirmed?.fields ?? [:])
      if !files.isEmpty { confirmedFiles[scope, default: []].formUnion(files) }
    }
    let resolution = Resolution(
      of: row, all, under: pending, merge, ScopePrecedence(cursors), table)
    for scope in resolution.removedScopes.sorted() { try entries.remove(row, in: scope) }
    for (scope, entry) in resolution.stored.sorted(by: { $0.key < $1.key }) {
      try entries.save(entry, of: row, in: scope)
    }
    if all.values.contains(where: { $0.shadow?.reason != nil }) {
      try deadLetters.removeCollision(of: row)
    }
    refused[row] = nil
    if !pending.isUnanswered(row) { recordShown([row.id], of: row.table) }
    if let state = resolution.state {
      if try !show(state, of: row, table) { known.storeRefused(all, of: row) }
    } else {
      remove(row)
    }
  }

  private mutating func remove(_ row: RowID) {
    removals.append(row)
    recordShown([row.id], of: row.table)
  }

  /// - Returns: `false` if a constraint refused the row.
  private mutating func show(
    _ state: RowState, of row: RowID, _ table: SyncedTable
  ) throws -> Bool {
    try show(visible.fields(of: state, in: table), of: row, table)
  }

  private mutating func show(
    _ fields: [String: WireValue], of row: RowID, _ table: SyncedTable
  ) throws -> Bool {
    do {
      if try visible.show(fields, of: row, in: table) {
        recordShown([row.id], of: row.table)
        count(1)
      }
      return true
    } catch let error as DatabaseError where error.isDangling && !isDeferring {
      try deferReferences()
      return try show(fields, of: row, table)
    } catch let error as DatabaseError where error.isRefusal {
      refused[row] = fields
      // A later attempt may show the row.
      recordShown([row.id], of: row.table)
      return false
    }
  }

  /// Postpones the check of foreign keys to the end of the transaction.
  ///
  /// NB: Not from the start, because the pragma makes SQLite compile every statement again.
  mutating func deferReferences() throws {
    try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
    isDeferring = true
  }

  // MARK: - Hiding

  /// Hides rows that a constraint refuses, and rows that make room for others.
  /// - Returns: the hidden rows.
  private mutating func hideCollisions(_ collisions: inout Collisions) throws -> Set<RowID> {
    var all: Set<RowID> = []
    while let hidden = try collisions.hideNext(isPending: { !pending[$0].isEmpty }) {
      // All states are stored before any row is removed: removing one may change a reference in
      // another.
      for (row, reason) in hidden { try refuse(row, reason) }
      for (row, _) in hidden {
        if let table = schema.present[row.table] { try visible.remove(row, in: table) }
        recordShown([row.id], of: row.table)
        all.insert(row)
      }
    }
    return all
  }

  /// Stores a row's confirmed state with the reason why the row is hidden. If it has pending
  /// changes, the reason is also recorded among the refused changes.
  private func refuse(_ row: RowID, _ reason: String) throws {
    guard let table = schema.present[row.table] else { return }
    for (scope, entry) in try known.all(of: row, table) where entry.version.isLiving {
      let shadow = RowEntry.Shadow(confirmed: entry.shadow?.confirmed, reason: reason)
      try entries.save(shadow, of: row, in: scope)
      if !pending[row].isEmpty { try deadLetters.addCollision(of: row, in: scope, reason) }
    }
  }
}

extension DatabaseError {
  /// Whether a row was refused because it refers to a row that does not exist (yet).
  var isDangling: Bool { resultCode == 787 }  // SQLITE_CONSTRAINT_FOREIGNKEY

  /// Whether a row was refused whatever other rows there are.
  var isOfRowAlone: Bool {
    switch violation {
    case .check, .notNull: true
    case .unique, .foreignKey, nil: code == .invalidValue
    }
  }

  /// Whether a row was refused because of its values, rather than by a failure of the database.
  var isRefusal: Bool { code == .constraint || code == .invalidValue }
}
