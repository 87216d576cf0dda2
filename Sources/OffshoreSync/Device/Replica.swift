import Foundation
public import Offshore
public import OffshoreWire

/// A device's copy of the rows that an account may see. It creates requests and applies their
/// answers.
///
/// It reads and writes in transactions of one file, and needs no network. Requests and answers are
/// values, which the caller transports. They may be lost, repeated or delayed.
///
/// ```swift
/// let replica = try Replica(schema)
/// let request = try await database.write { try replica.nextPull($0) }
/// // … send the request and receive the answer …
/// let report = try await database.write {
///   try replica.apply(answer, to: request, at: times, $0, makeID: UUID.init)
/// }
/// ```
public struct Replica: Sendable {
  /// The synced tables.
  public let schema: SyncSchema
  let merge: Merge
  /// The maximum number of times that a change is sent before it is stored as refused, by the code
  /// of the rejection. Other codes have a limit of 1.
  let attemptLimits: [Rejection.Code: Int]
  let derivations: Derivations
  /// The number of rows from which the rows of a new scope are shown as they arrive, rather than together.
  package var largeScopeRows = 4_000

  /// The number of bytes on staged pages from which they are, if the rows are wide.
  var largeScopeBytes: Int64 { Int64(largeScopeRows * Self.largeRowBytes) }

  /// The maximum number of rows in the further pages of a scope that is fetched for the first time. The
  /// first one may have as many as are applied together.
  var laterPageRows: Int { max(1, largeScopeRows / 2) }

  /// The number of bytes of a wide row.
  static let largeRowBytes = 512

  /// Updates columns that are derived from synced columns, such as a text for searching, or from
  /// the sync status of a row.
  ///
  /// The closure is registered for a table, and its first argument has keys of rows of this table:
  ///
  /// - rows that a pull or the answer to a push has changed, inserted or removed on this device;
  /// - rows of which the server has refused a change, also if the change is sent again later, and rows of
  ///   which this device has refused one when it was sealed;
  /// - rows of which the user has cancelled, edited, retried or discarded a change or reverted a conflict;
  /// - rows that had pending or refused changes before, and have none any more;
  /// - root rows, whose key is the value of their scope, if the members of the scope or the role of the
  ///   account have changed as ``members(of:_:)`` and ``role(in:_:)`` return them: by a pull, or by a command
  ///   that was made, cancelled, answered or refused;
  /// - rows that refer to a file by a `.file` column, if the server has confirmed or refused the file, or if
  ///   the file has arrived. They are found by their scope and the column: an index of the scope column
  ///   makes this fast.
  ///
  /// Some of these rows may be unchanged, deleted or not on this device yet. It does not run when the app
  /// itself writes rows, nor when a change is sealed or becomes part of a request.
  ///
  /// The closure runs in the transaction of these changes, and its writes are not captured. If it
  /// throws, nothing is applied, so it should skip rows that it cannot process.
  ///
  /// To find out the members of a scope or the sending states of rows, it uses a replica of the same schema:
  ///
  /// ```swift
  /// let replica = try Replica(schema)
  /// let derivations: [String: Replica.Derivation] = [
  ///   "messages": { ids, writer in
  ///     let states = try replica.sendingStates(of: ids, in: "messages", writer)
  ///     // …
  ///   }
  /// ]
  /// ```
  public typealias Derivation = @Sendable (_ ids: Set<String>, Writer) throws -> Void

  /// The pending changes of the device.
  public var outbox: Outbox { Outbox(schema, derivations) }

  /// Creates a replica without accessing a file.
  /// - Parameters:
  ///   - rules: the merge rules that the schema names.
  ///   - attemptLimits: the maximum number of times that a change is sent before it is stored as
  ///     refused, by the code of the rejection. The limit of a code that is not listed is 1, except
  ///     for `dependency`, whose limit is always at least 2: the change that this one builds on may
  ///     have been sealed again. Between two other attempts is a delay of the engine, which doubles each time.
  ///     A file is sent as often, and then waits for the user; one whose code is not listed is sent again after
  ///     ten minutes each time.
  ///     These limits do not apply to a change that needs a row of another pending batch, which is sealed
  ///     again up to ten times.
  ///   - derivations: the updates of derived columns, by the name of the synced table whose rows
  ///     they are about.
  /// - Throws: ``ReplicaError`` with the code `declaration` if a rule is missing, or if the table
  ///   of a derivation is not synced.
  public init(
    _ schema: SyncSchema, rules: MergeRules = MergeRules(),
    attemptLimits: [Rejection.Code: Int] = [:], derivations: [String: Derivation] = [:]
  ) throws {
    if let table = derivations.keys.sorted().first(where: { schema[$0] == nil }) {
      throw ReplicaError(.declaration, "“\(table)” is not synced. Correct the derivation's table.")
    }
    self.schema = schema
    self.derivations = Derivations(
      Dictionary(uniqueKeysWithValues: derivations.map { (schema[$0]?.sentName ?? $0, $1) }))
    self.attemptLimits = attemptLimits.merging([.dependency: 2]) { max($0, $1) }
    do {
      merge = try Merge(schema.manifest, rules: rules)
    } catch {
      throw ReplicaError(.declaration, error.message)
    }
  }

  // MARK: - Within a write

  /// Seals all captured changes, before rows are recomputed.
  ///
  /// NB: An edit names the versions that its user saw. So it is sealed before the row under it
  /// changes.
  func sealAll(_ writer: Writer, at now: Int64, makeID: () -> UUID) throws {
    var room: Int?
    while try hasCaptured(writer) {
      _ = try outbox.seal(
        writer, at: now, limits: SealingLimits(), room: &room, makeID: makeID)
    }
  }

  /// Creates an application that updates rows from their confirmed states and the remaining
  /// batches.
  func application(_ writer: Writer, _ cursors: [ScopeID: ScopeCursor], at now: Int64) throws
    -> RowApplication
  {
    RowApplication(
      schema: schema, merge: merge, writer: writer,
      pending: PendingOps(
        try SealedBatch.order { $0.key }.all(writer),
        refused: try StoredRefusal.kept(schema, writer)),
      deadLetters: DeadLetters(writer: writer, now: now),
      cursors: cursors, watched: derivations.tables)
  }

  /// Runs the derivations for the rows that an application has updated. Call it while changes are
  /// not captured.
  func derive(from application: RowApplication, _ writer: Writer) throws {
    try derivations.run(application.shown, writer)
  }

  /// Returns the cursors of the known scopes.
  func cursors(_ reader: Reader) throws -> [ScopeID: ScopeCursor] {
    Self.byScope(try ScopeCursor.all.all(reader))
  }

  /// Returns the cursors of some scopes, and of all others whose rows have another precedence than
  /// usual: those that the account has left, or may not read any more, and those that it leaves.
  func cursors(
    _ reader: Reader, of scopes: Set<ScopeID>
  ) throws -> [ScopeID: ScopeCursor] {
    guard scopes.count <= Self.fewScopes else { return try cursors(reader) }
    // NB: SQL, because the index serves only a query with its own condition.
    let unusual = try SQL(
      """
      SELECT scope FROM _cursor WHERE \(ScopeCursor.isEnded)
      UNION SELECT scope FROM _cursor WHERE \(ScopeCursor.hasWantedRole)
      """
    ).all(reader, as: String.self).compactMap { try? ScopeID($0) }
    return Self.byScope(try ScopeCursor.inOrder(reader, of: scopes.union(unusual)))
  }

  private static func byScope(_ cursors: [ScopeCursor]) -> [ScopeID: ScopeCursor] {
    Dictionary(cursors.map { ($0.scope, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of scopes up to which their cursors are read one by one rather than all of them.
  private static let fewScopes = WireLimits.scopesPerPull

  /// Returns whether captured changes are not sealed yet.
  func hasCaptured(_ reader: Reader) throws -> Bool {
    try JournalRow.all.exists(reader)
  }

  /// Returns whether changes are to be sent, or batches are unanswered.
  func hasUnsent(_ reader: Reader) throws -> Bool {
    try hasCaptured(reader) || schema.batchQueries.sendable.exists(reader)
  }
}

/// The rules that update columns derived from synced rows, by table.
struct Derivations: Sendable {
  private let rules: [String: Replica.Derivation]

  init(_ rules: [String: Replica.Derivation] = [:]) { self.rules = rules }

  /// The tables that have a rule.
  var tables: Set<String> { Set(rules.keys) }

  /// Runs the rules for rows, by table. Call it while changes are not captured.
  func run(_ ids: [String: Set<String>], _ writer: Writer) throws {
    for (table, ids) in ids.sorted(by: { $0.key < $1.key }) { try rules[table]?(ids, writer) }
  }

  /// Runs the rules for rows that the library changed at the user's request. Their writes are not
  /// captured. If a rule throws, they are undone, because the app may catch the error inside its
  /// write.
  func run(for rows: some Sequence<RowID>, _ writer: Writer) throws {
    let rows = rows.filter { rules[$0.table] != nil }
    guard !rows.isEmpty else { return }
    let ids = Dictionary(grouping: rows, by: \.table).mapValues { Set($0.map(\.id)) }
    try writer.savepoint { writer in try writer.applying { try run(ids, writer) } }
  }
}

extension Replica {
  /// Computes the digest of each scope's confirmed rows from the rows themselves.
  ///
  /// It equals the stored digest unless captured changes are not sealed yet.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  package func digests(_ writer: Writer) throws -> [ScopeID: Digest] {
    let entries = RowEntries(writer: writer)
    let visible = VisibleRows(schema: schema, writer: writer)
    var digests: [ScopeID: Digest] = [:]
    for row in try Set(entries.rows()) {
      guard let table = schema.present[row.table] else {
        for (scope, entry) in try entries.all(of: row) {
          digests[scope, default: Digest()].add(entry.version.unknownState, of: row)
        }
        continue
      }
      let values = try visible.values(of: row, in: table) ?? [:]
      for (scope, entry) in try entries.all(of: row) {
        let shown = entry.version.state(values, in: table)
        let confirmed = entry.shadow.map(\.confirmed) ?? shown
        if let confirmed { digests[scope, default: Digest()].add(confirmed, of: row) }
      }
    }
    return digests
  }
}

/// Facts about scopes, rows and conflicts that the device stores besides the rows themselves.
extension Replica {
  /// Returns the role of the account in a scope, or `nil` if none was ever granted. A role that the
  /// account gives itself, such as by leaving, applies before the server has received it.
  ///
  /// To receive each new role, call it in an observation.
  /// - Throws: `DatabaseError`.
  public func role(in scope: ScopeID, _ reader: Reader) throws -> Role? {
    try ScopeCursor.of(scope, reader).shownRole
  }

  /// Returns the roles of the account in the scopes of a kind. Scopes without any grant are left
  /// out.
  /// - Throws: `DatabaseError`.
  public func roles(
    inScopesOf kind: String, _ reader: Reader
  ) throws -> [ScopeID: Role] {
    let granted = try ScopeCursor.where { $0.role != nil && $0.scope.hasPrefix("\(kind)/") }
      .select({ (scope: $0, role: $1, wanted: $2) }) { cursor in
        cursor.scope
        cursor.role
        cursor.wanted
      }.all(reader)
    return granted.reduce(into: [:]) { $0[$1.scope] = $1.wanted?.shown ?? $1.role }
  }

  /// Returns the id under which this device makes edits.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func device(_ reader: Reader) throws -> DeviceID { try ReplicaState(reader).device }

  /// Returns the stamp of the latest edit that another device made in a table, or `nil` if no other
  /// device made one.
  ///
  /// It reads the versions of all rows of the table.
  /// - Throws: `DatabaseError`.
  package func latestEdit(
    in table: String, notBy device: DeviceID, _ reader: Reader
  ) throws -> Stamp? {
    let table = schema[table]?.sentName ?? table
    return try VersionRow.where { $0.tableName == table }.select { $0.version }.all(reader)
      .flatMap { [$0.stamp] + $0.versions.values }.filter { $0.device != device }.max()
  }

  /// Returns whether a row is on this device and has a value other than NULL in a column.
  /// - Throws: `DatabaseError`.
  package func hasValue(in column: String, of row: RowID, _ reader: Reader) throws -> Bool {
    guard let table = schema[row.table] else { return false }
    return try SQL(
      """
      SELECT EXISTS (SELECT 1 FROM \(identifier: table.name)
      WHERE \(identifier: table.idColumn) = \(row.id) AND \(identifier: column) IS NOT NULL)
      """
    ).first(reader, as: Bool.self) == true
  }

  /// Returns the stamp of a row's deletion, with its time and device, or `nil` if no deletion is
  /// known.
  /// - Throws: `DatabaseError`.
  public func deletion(of row: RowID, _ reader: Reader) throws -> Stamp? {
    try VersionRow.of(schema.sent(row)).select { $0.version }.all(reader)
      .filter { $0.presence == .deleted }.map(\.stamp).max()
  }

  /// Returns the current version of a conflict's field, including sealed changes, or `nil` if the
  /// row is unknown.
  /// - Throws: `DatabaseError`.
  package func currentStamp(
    of conflict: Conflict, in scope: ScopeID, _ reader: Reader
  ) throws -> Stamp? {
    try VersionRow.of(conflict.row).where { $0.scope == scope }.select { $0.version }.first(reader)?
      .version(of: conflict.field)
  }

  /// Returns the scopes that have conflicts, by kind and then by value.
  /// - Throws: `DatabaseError`.
  package func scopesWithConflicts(_ reader: Reader) throws -> [ScopeID] {
    try StoredConflict.order { $0.scope }.select { $0.scope }.distinct().all(reader)
  }

  /// Returns the conflicts of a scope, the oldest first. They name tables and columns as messages do.
  /// - Throws: `DatabaseError`.
  public func conflicts(in scope: ScopeID, _ reader: Reader) throws -> [Conflict] {
    try StoredConflict.where { $0.scope == scope }.order { $0.number }.select { $0.conflict }
      .all(reader)
  }
}

/// The times of a request and its answer, by the device's clock.
public struct RequestTimes: Hashable, Sendable {
  /// The time at which the request was sent, in milliseconds since 1970.
  public let sent: Int64
  /// The time at which the answer was received, in milliseconds since 1970.
  public let received: Int64

  /// Creates the times of a request.
  public init(sent: Int64, received: Int64) {
    self.sent = sent
    self.received = received
  }
}
