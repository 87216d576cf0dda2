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
  /// Whether rows of a scope are shown on this device.
  let isShown: (ScopeID) -> Bool
  let letters: DeadLetters

  private let entries: RowEntries
  private let visible: VisibleRows
  /// The rows that more than one thing is known of.
  private var unresolved: Set<RowID> = []
  private var removals: [RowID] = []
  /// The rows of which nothing is known any more, unless another scope has them.
  private var forgotten: Set<RowID> = []
  /// The rows that a constraint has refused, with what they are to show.
  private var refused: [RowID: [String: WireValue]] = [:]

  init(
    schema: SyncSchema, merge: Merge, writer: Writer, pending: PendingOps, letters: DeadLetters,
    isShown: @escaping (ScopeID) -> Bool
  ) {
    self.schema = schema
    self.merge = merge
    self.writer = writer
    self.pending = pending
    self.letters = letters
    self.isShown = isShown
    entries = RowEntries(writer: writer)
    visible = VisibleRows(schema: schema, writer: writer)
  }

  // MARK: - What became known

  /// Notes what a row is on the server, or that the server knows nothing of it.
  /// - Returns: the hash that counted before.
  mutating func confirm(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID
  ) throws -> UInt64 {
    let known = try entries.all(of: row)
    let entry = known[scope]
    guard let table = schema.manifest[row.table] else { return entry?.hash ?? 0 }
    let isAlone = known.count == (entry == nil ? 0 : 1)
    if isAlone, entry?.shadow == nil, pending[row].isEmpty, !unresolved.contains(row),
      !forgotten.contains(row)
    {
      try confirmAlone(row, state, hash: hash, in: scope, table, wasKnown: entry != nil)
    } else {
      for (other, otherEntry) in known where other != scope {
        try cast(row, otherEntry, in: other, table)
      }
      if let state {
        try entries.save(RowVersion(state, in: table), hash: hash, of: row, in: scope)
      } else if let entry {
        try entries.save(entry.version, hash: 0, of: row, in: scope)
      }
      if state != nil || entry != nil {
        try entries.save(
          RowEntry.Shadow(confirmed: state, reason: entry?.shadow?.reason), of: row, in: scope)
      }
      unresolved.insert(row)
    }
    return entry?.hash ?? 0
  }

  /// Notes that the ops of a row have changed.
  mutating func touch(_ row: RowID) { unresolved.insert(row) }

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
      return
    }
    try show(state.fields, of: row, table)
    if refused[row] != nil {
      try entries.save(RowEntry.Shadow(confirmed: state), of: row, in: scope)
      unresolved.insert(row)
    }
  }

  /// Keeps what is confirmed of a row that shows it, before it shows something else.
  private func cast(
    _ row: RowID, _ entry: RowEntry, in scope: ScopeID, _ table: SyncedTable
  ) throws {
    guard entry.shadow == nil else { return }
    let values = try visible.values(of: row, in: table) ?? [:]
    try entries.save(
      RowEntry.Shadow(confirmed: entry.version.state(values, in: table)), of: row, in: scope)
  }

  // MARK: - What is shown

  /// Makes the app's rows show what is known of them.
  /// - Throws: `DatabaseError` for what is no fault of a row, as a full disk.
  mutating func finish() throws {
    for row in try entries.rows(in: "_shadow", where: "reason IS NOT NULL") { touch(row) }
    // What is removed goes last: the app's tables may let other rows go with it that move on.
    removals.removeAll { unresolved.contains($0) }
    for row in unresolved.sorted() { try resolve(row) }
    var collisions = Collisions(visible: visible, refused: refused, removals: removals)
    try collisions.run()
    if !removals.isEmpty {
      // Among those may be rows of this device that were not sent yet.
      for row in pending.rows(of: referring) { try resolve(row) }
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
      for (row, reason) in hidden { try hide(row, reason) }
    }
  }

  private mutating func hide(_ row: RowID, _ reason: String) throws {
    guard let table = schema.manifest[row.table] else { return }
    for (scope, entry) in try entries.all(of: row) where entry.version.isLiving {
      var shadow = entry.shadow
      if shadow == nil {
        let values = try visible.values(of: row, in: table) ?? [:]
        shadow = RowEntry.Shadow(confirmed: entry.version.state(values, in: table))
      }
      shadow?.reason = reason
      if let shadow { try entries.save(shadow, of: row, in: scope) }
      if !pending[row].isEmpty { try letters.addCollision(of: row, in: scope, reason) }
    }
    try visible.remove(row, in: table)
  }

  /// Works out what a row shows from all that is known of it.
  private mutating func resolve(_ row: RowID) throws {
    guard let table = schema.manifest[row.table] else { return }
    let known = try entries.all(of: row)
    var confirmed: [ScopeID: RowState] = [:]
    for (scope, entry) in known where entry.shadow == nil {
      try cast(row, entry, in: scope, table)
    }
    for (scope, entry) in try entries.all(of: row) { confirmed[scope] = entry.shadow?.confirmed }
    let states = pending.shown(row, over: confirmed, merge, where: isShown)
    let shown = states.filter { $0.value.isLiving && isShown($0.key) }.min { $0.key < $1.key }
    try store(row, known, confirmed, states, shown: shown?.key, table)
    refused[row] = nil
    if let shown {
      try show(shown.value.fields, of: row, table)
    } else {
      removals.append(row)
    }
  }

  private func store(
    _ row: RowID, _ known: [ScopeID: RowEntry], _ confirmed: [ScopeID: RowState],
    _ states: [ScopeID: RowState], shown: ScopeID?, _ table: SyncedTable
  ) throws {
    let isPending = pending.scopes(of: row)
    for scope in Set(known.keys).union(states.keys).sorted() {
      guard let state = states[scope], isShown(scope) else {
        try entries.remove(row, in: scope)
        continue
      }
      try entries.save(RowVersion(state, in: table), of: row, in: scope)
      if isPending.contains(scope) || state.isLiving && scope != shown {
        let isElsewhere = state.isLiving && scope != shown
        try entries.save(
          RowEntry.Shadow(
            confirmed: confirmed[scope], reason: isElsewhere ? Self.isElsewhere : nil), of: row,
          in: scope)
      } else {
        try entries.removeShadow(of: row, in: scope)
      }
    }
    try letters.removeCollision(of: row)
  }

  private mutating func show(
    _ fields: [String: WireValue], of row: RowID, _ table: SyncedTable
  ) throws {
    do {
      try visible.show(fields, of: row, in: table)
    } catch let error as DatabaseError where error.isRefusal {
      refused[row] = fields
    }
  }

  private static let isElsewhere = "Another scope has a row of this id."
}

extension DatabaseError {
  /// Whether a row was refused, and nothing else is wrong.
  var isRefusal: Bool { code == .constraint || code == .invalidValue }
}
