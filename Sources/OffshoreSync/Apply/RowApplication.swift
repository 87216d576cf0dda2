import Offshore
import OffshoreWire

/// Brings rows to what is confirmed and what is pending over it, inside one write.
///
/// First everything that became known is noted (``confirm(_:_:in:)``), then ``finish()`` makes the
/// app's rows show it. What cannot be shown, because a constraint leaves it no room, is kept aside
/// with the reason and tried again whenever rows are brought up to date.
struct RowApplication {
  let schema: SyncSchema
  let merge: Merge
  let writer: Writer
  let pending: PendingOps
  /// The scopes that the device knows.
  let cursors: [ScopeID: ScopeCursor]
  let letters: DeadLetters

  /// Whether references may dangle for now.
  private(set) var isDeferring = false
  private let entries: RowEntries
  private let visible: VisibleRows
  /// The rows that more than one thing is known of, with what that is, each scope's confirmed state
  /// included.
  private var unresolved: [RowID: [ScopeID: RowEntry]] = [:]
  private var removals: [RowID] = []
  /// The rows that are not there any more, unless more is told of them.
  private var forgotten: Set<RowID> = []
  /// The rows that a constraint has refused, with what they are to show.
  private var refused: [RowID: [String: WireValue]] = [:]

  init(
    schema: SyncSchema, merge: Merge, writer: Writer, pending: PendingOps, letters: DeadLetters,
    cursors: [ScopeID: ScopeCursor]
  ) {
    self.schema = schema
    self.merge = merge
    self.writer = writer
    self.pending = pending
    self.letters = letters
    self.cursors = cursors
    entries = RowEntries(writer: writer)
    visible = VisibleRows(schema: schema, writer: writer)
  }

  // MARK: - What became known

  /// Whether nothing is known of a row but what the tables say.
  func isUntouched(_ row: RowID) -> Bool {
    isQuiet || pending[row].isEmpty && unresolved[row] == nil && !forgotten.contains(row)
  }

  /// Whether that is so of all rows.
  private var isQuiet: Bool {
    pending.entries.isEmpty && unresolved.isEmpty && forgotten.isEmpty
  }

  /// The ids of a table's rows that have come, where the device knew of none before.
  var arrivals: [String: Set<String>] = [:]

  /// Notes what a row is on the server, or that the server knows nothing of it.
  /// - Returns: the hash that counted before.
  mutating func confirm(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID
  ) throws -> UInt64 {
    guard let table = schema.manifest[row.table] else {
      return try keep(row, state, hash: hash, in: scope)
    }
    if unresolved[row] == nil {
      let known = try entries.all(of: row)
      let entry = known[scope]
      if isUntouched(row), entry?.shadow == nil, known.count == (entry == nil ? 0 : 1) {
        try confirmAlone(row, state, hash: hash, in: scope, table, wasKnown: entry != nil)
        return entry?.hash ?? 0
      }
      unresolved[row] = try cast(known, of: row, table)
    }
    let before = unresolved[row]?[scope]
    let shadow = RowEntry.Shadow(confirmed: state, reason: before?.shadow?.reason)
    if let state {
      unresolved[row]?[scope] = RowEntry(
        version: RowVersion(state, in: table), hash: hash, shadow: shadow)
    } else if let before {
      unresolved[row]?[scope] = RowEntry(version: before.version, shadow: shadow)
    }
    return before?.hash ?? 0
  }

  /// Keeps a row of a table that this device does not have, for a newer version of the app.
  private func keep(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID
  ) throws -> UInt64 {
    let before = try entries.all(of: row)[scope]?.hash ?? 0
    try entries.remove(row, in: scope)
    if let state {
      try entries.save(RowVersion(state, in: nil), hash: hash, of: row, in: scope)
    }
    return before
  }

  /// Notes that the ops of a row have changed.
  mutating func touch(_ row: RowID) throws {
    guard unresolved[row] == nil, let table = schema.manifest[row.table] else { return }
    unresolved[row] = try cast(entries.all(of: row), of: row, table)
  }

  private mutating func confirmAlone(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID, _ table: SyncedTable,
    wasKnown: Bool
  ) throws {
    guard let state else {
      try entries.remove(row, in: scope)
      removals.append(row)
      forgotten.insert(row)
      return
    }
    try entries.save(RowVersion(state, in: table), hash: hash, of: row, in: scope)
    guard state.isLiving else {
      if wasKnown { removals.append(row) }
      // A later page may have the row's next life.
      forgotten.insert(row)
      return
    }
    try show(state.fields, of: row, table)
    if refused[row] != nil {
      try entries.save(RowEntry.Shadow(confirmed: state), of: row, in: scope)
      try touch(row)
    }
  }

  /// What is known of a row, with what is confirmed wherever the row itself shows it.
  private func cast(
    _ known: [ScopeID: RowEntry], of row: RowID, _ table: SyncedTable
  ) throws -> [ScopeID: RowEntry] {
    guard known.values.contains(where: { $0.shadow == nil }) else { return known }
    let values = try visible.values(of: row, in: table) ?? [:]
    return known.mapValues { entry in
      var entry = entry
      entry.shadow =
        entry.shadow ?? RowEntry.Shadow(confirmed: entry.version.state(values, in: table))
      return entry
    }
  }

  // MARK: - What is shown

  /// Makes the app's rows show what is known of them.
  /// - Throws: `DatabaseError` for what is no fault of a row, as a full disk.
  mutating func finish() throws {
    for row in try entries.rows(in: "_shadow", where: "reason IS NOT NULL") {
      try touch(row)
    }
    // What is removed goes last: the app's tables may let other rows go with it that move on.
    removals.removeAll { unresolved[$0] != nil }
    for row in unresolved.keys.sorted() { try resolve(row) }
    var collisions = Collisions(visible: visible, refused: refused, removals: removals)
    try collisions.run()
    if !removals.isEmpty {
      // Among those may be rows of this device that were not sent yet.
      for row in pending.rows(of: referring) {
        try touch(row)
        try resolve(row)
      }
      collisions.retry(refused)
    }
    try settle(&collisions)
  }

  private var referring: Set<String> {
    Set(
      schema.manifest.tables.filter { $0.columns.contains { $0.reference != nil } }.map(\.name))
  }

  /// Notes which rows could not be shown.
  private mutating func settle(_ collisions: inout Collisions) throws {
    while let hidden = try collisions.hideNext(isPending: { !pending[$0].isEmpty }) {
      // All are kept as they are before any goes: one may take a reference to it out of another.
      for (row, reason) in hidden { try keepAside(row, reason) }
      for (row, _) in hidden {
        if let table = schema.manifest[row.table] { try visible.remove(row, in: table) }
      }
    }
  }

  private mutating func keepAside(_ row: RowID, _ reason: String) throws {
    guard let table = schema.manifest[row.table] else { return }
    for (scope, entry) in try cast(entries.all(of: row), of: row, table)
    where entry.version.isLiving {
      let shadow = RowEntry.Shadow(confirmed: entry.shadow?.confirmed, reason: reason)
      try entries.save(shadow, of: row, in: scope)
      if !pending[row].isEmpty { try letters.addCollision(of: row, in: scope, reason) }
    }
  }

  /// Works out what a row shows from all that is known of it.
  private mutating func resolve(_ row: RowID) throws {
    guard let table = schema.manifest[row.table], let known = unresolved.removeValue(forKey: row)
    else { return }
    let confirmed = known.compactMapValues { $0.shadow?.confirmed }
    let states = pending.shown(row, over: confirmed, merge, where: isShown)
    let shown = states.filter { $0.value.isLiving && isShown($0.key) }
      .min { precedence($0.key) < precedence($1.key) }
    try store(row, known, states, shown: shown?.key, table)
    refused[row] = nil
    if let shown {
      try show(shown.value.fields, of: row, table)
    } else {
      removals.append(row)
    }
  }

  /// Whether rows of a scope are shown on this device.
  private func isShown(_ scope: ScopeID) -> Bool { cursors[scope]?.isShown ?? true }

  /// Of scopes that have a row of one id, those come first that go on: not copies of what was left.
  private func precedence(_ scope: ScopeID) -> (Int, ScopeID) {
    (cursors[scope]?.role == .left ? 1 : 0, scope)
  }

  private func store(
    _ row: RowID, _ known: [ScopeID: RowEntry], _ states: [ScopeID: RowState], shown: ScopeID?,
    _ table: SyncedTable
  ) throws {
    let isPending = pending.scopes(of: row)
    for scope in Set(known.keys).union(states.keys).sorted() {
      guard let state = states[scope], isShown(scope) else {
        try entries.remove(row, in: scope)
        continue
      }
      let (version, entry) = (RowVersion(state, in: table), known[scope])
      try entries.save(version, hash: entry?.hash ?? 0, of: row, in: scope)
      let isElsewhere = state.isLiving && scope != shown
      if isPending.contains(scope) || isElsewhere {
        let shadow = RowEntry.Shadow(
          confirmed: entry?.shadow?.confirmed, reason: isElsewhere ? Self.isElsewhere : nil)
        try entries.save(shadow, of: row, in: scope)
      } else {
        try entries.removeShadow(of: row, in: scope)
      }
    }
    if known.values.contains(where: { $0.shadow?.reason != nil }) {
      try letters.removeCollision(of: row)
    }
  }

  private mutating func show(
    _ fields: [String: WireValue], of row: RowID, _ table: SyncedTable
  ) throws {
    do {
      try visible.show(fields, of: row, in: table)
    } catch let error as DatabaseError where error.isDangling && !isDeferring {
      try deferReferences()
      try show(fields, of: row, table)
    } catch let error as DatabaseError where error.isRefusal {
      refused[row] = fields
    }
  }

  /// Lets references dangle until all rows are in their place.
  ///
  /// NB: Not from the first: the pragma has SQLite compile every statement anew.
  mutating func deferReferences() throws {
    try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
    isDeferring = true
  }

  private static let isElsewhere = "Another scope has a row of this id."
}

extension DatabaseError {
  /// Whether a row was refused because it refers to one that is not there (yet).
  var isDangling: Bool { resultCode == 787 }  // SQLITE_CONSTRAINT_FOREIGNKEY

  /// Whether a row was refused, and nothing else is wrong.
  var isRefusal: Bool { code == .constraint || code == .invalidValue }
}
