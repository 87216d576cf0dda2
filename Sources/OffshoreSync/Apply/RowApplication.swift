import Offshore
import OffshoreWire

/// Brings rows to what is confirmed and what is pending over it, inside one write.
///
/// First everything that became known is noted (``confirm(_:_:hash:in:)``, ``touch(_:)``), then
/// ``finish()`` makes the app's rows show it. What cannot be shown, because a constraint leaves it
/// no room, is kept aside with the reason and tried again whenever rows are brought up to date.
struct RowApplication {
  let schema: SyncSchema
  let merge: Merge
  let writer: Writer
  let pending: PendingOps
  /// The scopes that the device knows.
  let cursors: [ScopeID: ScopeCursor]
  let letters: DeadLetters

  /// The rows of watched tables that show something else now, or have no pending change any more.
  private(set) var shown: [String: Set<String>] = [:]
  /// The number of visible rows whose values have changed.
  private(set) var changedCount = 0
  /// The tables whose rows are noted.
  private let watched: Set<String>
  /// Whether references may dangle for now.
  private(set) var isDeferring = false
  private let entries: RowEntries
  private let visible: VisibleRows
  private var known: KnownRows
  private var removals: [RowID] = []
  /// The rows that are not there any more, unless more is told of them.
  private var forgotten: Set<RowID> = []
  /// The rows that a constraint has refused, with what they are to show.
  private var refused: [RowID: [String: WireValue]] = [:]

  init(
    schema: SyncSchema, merge: Merge, writer: Writer, pending: PendingOps, letters: DeadLetters,
    cursors: [ScopeID: ScopeCursor], watched: Set<String> = []
  ) {
    self.watched = watched
    self.schema = schema
    self.merge = merge
    self.writer = writer
    self.pending = pending
    self.letters = letters
    self.cursors = cursors
    entries = RowEntries(writer: writer)
    visible = VisibleRows(schema: schema, writer: writer)
    known = KnownRows(entries: entries, visible: visible)
  }

  // MARK: - What became known

  /// Counts visible rows whose values have changed.
  mutating func count(_ rows: Int) { changedCount += rows }

  /// Notes that rows of a table have come to show something else.
  mutating func note(_ ids: some Sequence<String>, of table: String) {
    guard watched.contains(table) else { return }
    shown[table, default: []].formUnion(ids)
  }

  /// Whether nothing is known of a row but what the tables say.
  func isUntouched(_ row: RowID) -> Bool {
    isQuiet || pending[row].isEmpty && known[row] == nil && !forgotten.contains(row)
  }

  /// Whether that is so of the row of a table with an id.
  func isUntouched(_ table: String, _ id: String) -> Bool {
    isQuiet || isUntouched(RowID(table: table, id: id))
  }

  /// Whether that is so of all rows.
  private var isQuiet: Bool { pending.entries.isEmpty && known.isEmpty && forgotten.isEmpty }

  /// The last of the ids of a table's rows, where the device knew of none before and all that have
  /// come since came in the order of their ids.
  var arrivals: [String: String] = [:]

  /// Notes what a row is on the server, or that the server knows nothing of it.
  /// - Returns: the hash that counted before.
  mutating func confirm(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID
  ) throws -> UInt64 {
    guard let table = schema.manifest[row.table] else {
      return try entries.keepUnknown(row, state, hash: hash, in: scope)
    }
    if known[row] == nil {
      let found = try entries.all(of: row)
      let entry = found[scope]
      if isUntouched(row), entry?.shadow == nil, found.count == (entry == nil ? 0 : 1) {
        try confirmAlone(row, state, hash: hash, in: scope, table, wasKnown: entry != nil)
        return entry?.hash ?? 0
      }
      try known.add(row, found, table)
    }
    return known.confirm(row, state, hash: hash, in: scope, table)
  }

  /// Confirms a row of which nothing else is known: it shows just that.
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
      // A later page may have the row's next life.
      forgotten.insert(row)
      return
    }
    guard try !show(state.fields, of: row, table) else { return }
    try entries.save(RowEntry.Shadow(confirmed: state), of: row, in: scope)
    try touch(row)
  }

  /// Notes that the ops of a row have changed.
  mutating func touch(_ row: RowID) throws {
    guard known[row] == nil, let table = schema.manifest[row.table] else { return }
    try known.add(row, try entries.all(of: row), table)
  }

  // MARK: - What is shown

  /// Makes the app's rows show what is known of them.
  /// - Throws: `DatabaseError` for what is no fault of a row, as a full disk.
  mutating func finish() throws {
    for row in try entries.rows(in: "_shadow", where: "reason IS NOT NULL") { try touch(row) }
    var hidden = try showAll()
    // Rows that stood in each other's way, having exchanged values, may not once one has made room.
    while !hidden.isEmpty {
      for row in hidden.sorted() { try touch(row) }
      let left = try showAll()
      guard left.count < hidden.count else { return }
      hidden = left
    }
  }

  /// - Returns: the rows that were hidden.
  private mutating func showAll() throws -> Set<RowID> {
    // What is removed goes last: the app's tables may let other rows go with it that move on.
    removals.removeAll { known[$0] != nil }
    for row in known.rows { try resolve(row) }
    try FormerScopes(schema: schema, writer: writer).store(removals, pending) {
      cursors[$0]?.role?.canRead == true
    }
    count(try removals.count { try visible.exists($0) })
    var collisions = Collisions(visible: visible, refused: refused, removals: removals)
    try collisions.run()
    if !removals.isEmpty {
      removals = []
      // Among those may be rows of this device that were not sent yet.
      for row in pending.rows(of: referring) {
        try touch(row)
        try resolve(row)
      }
      collisions.retry(refused, removals)
    }
    (refused, removals) = ([:], [])
    return try settle(&collisions)
  }

  private var referring: Set<String> {
    Set(
      schema.manifest.tables.filter { $0.columns.contains { $0.reference != nil } }.map(\.name))
  }

  /// Works out what a row shows from all that is known of it.
  private mutating func resolve(_ row: RowID) throws {
    guard let table = schema.manifest[row.table], let all = known.take(row) else { return }
    let resolution = Resolution(
      of: row, all, under: pending, merge, ScopePrecedence(cursors), table)
    for scope in resolution.forgotten.sorted() { try entries.remove(row, in: scope) }
    for (scope, entry) in resolution.kept.sorted(by: { $0.key < $1.key }) {
      try entries.save(entry, of: row, in: scope)
    }
    if all.values.contains(where: { $0.shadow?.reason != nil }) {
      try letters.removeCollision(of: row)
    }
    refused[row] = nil
    if pending[row].isEmpty { note([row.id], of: row.table) }
    if let fields = resolution.fields {
      if try !show(fields, of: row, table) { known.keep(all, of: row) }
    } else {
      remove(row)
    }
  }

  private mutating func remove(_ row: RowID) {
    removals.append(row)
    note([row.id], of: row.table)
  }

  /// - Returns: whether the row was not refused.
  private mutating func show(
    _ fields: [String: WireValue], of row: RowID, _ table: SyncedTable
  ) throws -> Bool {
    do {
      if try visible.show(fields, of: row, in: table) {
        note([row.id], of: row.table)
        count(1)
      }
      return true
    } catch let error as DatabaseError where error.isDangling && !isDeferring {
      try deferReferences()
      return try show(fields, of: row, table)
    } catch let error as DatabaseError where error.isRefusal {
      refused[row] = fields
      // Room may be found for it.
      note([row.id], of: row.table)
      return false
    }
  }

  /// Lets references dangle until all rows are in their place.
  ///
  /// NB: Not from the first: the pragma has SQLite compile every statement anew.
  mutating func deferReferences() throws {
    try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
    isDeferring = true
  }

  // MARK: - What is not shown

  /// Hides the rows that cannot be shown, and those that make room.
  /// - Returns: the rows.
  private mutating func settle(_ collisions: inout Collisions) throws -> Set<RowID> {
    var all: Set<RowID> = []
    while let hidden = try collisions.hideNext(isPending: { !pending[$0].isEmpty }) {
      // All are kept as they are before any goes: one may take a reference to it out of another.
      for (row, reason) in hidden { try keepAside(row, reason) }
      for (row, _) in hidden {
        if let table = schema.manifest[row.table] { try visible.remove(row, in: table) }
        note([row.id], of: row.table)
        all.insert(row)
      }
    }
    return all
  }

  private func keepAside(_ row: RowID, _ reason: String) throws {
    guard let table = schema.manifest[row.table] else { return }
    for (scope, entry) in try known.all(of: row, table) where entry.version.isLiving {
      let shadow = RowEntry.Shadow(confirmed: entry.shadow?.confirmed, reason: reason)
      try entries.save(shadow, of: row, in: scope)
      if !pending[row].isEmpty { try letters.addCollision(of: row, in: scope, reason) }
    }
  }
}
