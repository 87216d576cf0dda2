package import Foundation
package import Offshore
package import OffshoreWire

/// The stored titles and rows of scopes whose root row another device deleted, or that the account
/// may not read any more.
///
/// The root row of a scope has the scope's value as its key. Its title is for messages about the
/// removal of the scope. All rows of the scope are stored, to restore it, if this device had
/// pending or refused changes in it.
struct FormerScopes {
  private static let titlePrefix = "formerTitle."
  private static let rowsPrefix = "formerRows."

  let schema: SyncSchema
  let writer: Writer

  /// Stores the titles and rows of the scopes whose root rows are about to be removed. Rows that do
  /// not exist are ignored.
  /// - Parameters:
  ///   - pending: the ops of sealed batches.
  ///   - isReadable: returns whether the account may still read a scope. If not, only the title is
  ///     stored, and nothing of a personal scope of another account.
  func store(
    _ removals: [RowID], _ pending: PendingOps, isReadable: (ScopeID) -> Bool
  ) throws {
    let visible = VisibleRows(schema: schema, writer: writer)
    for row in removals {
      guard let table = schema[row.table], table.scopeColumn == table.idColumn,
        let scope = try? ScopeID(kind: table.scopeKind, value: row.id), try hasSettings,
        try visible.exists(row)
      else { continue }
      guard isReadable(scope) || !schema.manifest.personalKinds.contains(scope.kind) else {
        continue
      }
      let title = try table.row.title.flatMap { try text($0, of: row, in: table) }
      try Setting.set(Self.titlePrefix + scope.text, to: title, writer)
      let isChanged =
        try isReadable(scope)
        && (pending.hasEntries(in: scope) || hasRefused(in: scope))
      let rows = try isChanged ? FormerRows(of: scope, schema, writer) : nil
      try Setting.set(
        Self.rowsPrefix + scope.text, to: rows.map { Data($0.encoded()).base64EncodedString() },
        writer)
    }
  }

  /// A file that was never opened as a store has no settings.
  private var hasSettings: Bool { get throws { try Setting.areStored(writer) } }

  private func hasRefused(in scope: ScopeID) throws -> Bool {
    try StoredRefusal.where { $0.scope == scope }.exists(writer)
  }

  private func text(_ column: String, of row: RowID, in table: SyncTable) throws -> String? {
    try SQL(
      """
      SELECT \(identifier: column) FROM \(identifier: table.name)
      WHERE \(identifier: table.idColumn) = \(row.id)
      """
    ).first(writer, as: String?.self) ?? nil
  }

  static func title(of scope: ScopeID, _ reader: Reader) throws -> String? {
    try Setting.value(titlePrefix + scope.text, reader)
  }

  static func rows(of scope: ScopeID, _ reader: Reader) throws -> FormerRows? {
    let text = try Setting.value(rowsPrefix + scope.text, reader)
    return try text.flatMap { Data(base64Encoded: $0) }.map { try FormerRows(decoding: Array($0)) }
  }

  /// Deletes the stored rows of a scope whose refused changes the user has discarded, or that the account
  /// may not read any more.
  static func forgetRows(of scope: ScopeID, _ writer: Writer) throws {
    try Setting.set(rowsPrefix + scope.text, to: nil, writer)
  }

  /// Deletes the stored title and rows of a scope, if the file has settings.
  func forget(_ scope: ScopeID) throws { if try hasSettings { try Self.forget(scope, writer) } }

  /// Deletes the stored title and rows of a scope that exists again.
  static func forget(_ scope: ScopeID, _ writer: Writer) throws {
    try Setting.set(rowsPrefix + scope.text, to: nil, writer)
    try Setting.set(titlePrefix + scope.text, to: nil, writer)
  }
}

extension PendingOps {
  fileprivate func hasEntries(in scope: ScopeID) -> Bool {
    entries.values.contains { $0.contains { $0.scope == scope } }
  }
}

// MARK: - Restoring

extension SyncedStore {
  /// Returns the former title of a scope's root row.
  /// - Returns: `nil` unless another device deleted the row, or the account lost its access.
  /// - Throws: `DatabaseError`.
  package func formerTitle(of scope: ScopeID, _ reader: Reader) throws -> String? {
    try FormerScopes.title(of: scope, reader)
  }
}

extension SyncedStore {
  /// Returns the former title of the row with a key, if it was the root row of a scope; see
  /// ``formerTitle(of:_:)``.
  /// - Throws: `DatabaseError`.
  package func formerTitle(ofRow key: UUID) async throws -> String? {
    try await read { [self] reader in
      for table in replica.schema.tables where table.scopeColumn == table.idColumn {
        let scope = try ScopeID(kind: table.scopeKind, value: key.uuidString)
        if let title = try formerTitle(of: scope, reader) { return title }
      }
      return nil
    }
  }
}

extension OutgoingChanges {
  /// Restores a scope that another device deleted, and retries its refused changes.
  ///
  /// Rows that only others may write, and rows that must refer to them, are not restored.
  /// - Returns: `false` if the scope's rows are not stored, or if it is not deleted. A refused
  ///   change that cannot be made, or that the account may not make, stays refused.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if the account may not change the scope,
  ///   or may not write its root row. `DatabaseError`; nothing is changed then.
  package func restore(_ scope: ScopeID) async throws -> Bool {
    try await store.write { [store] writer in
      // If the other device has undone the deletion, its rows are newer than the stored ones.
      guard try SyncedStore.isLinked(writer),
        case .deletedElsewhere = try store.end(of: scope, writer)?.kind,
        let rows = try FormerScopes.rows(of: scope, writer)
      else { return false }
      try store.checkMayEdit(scope, writer)
      let schema = store.replica.schema
      var rights = store.rights(writer)
      guard try rows.canRestore(scope, schema, &rights) else {
        throw ReplicaError(
          .forbidden, "Only others may write the root row of the scope. Ask an owner to restore it."
        )
      }
      try rows.restore(schema, &rights, writer)
      try FormerScopes.forget(scope, writer)
      let refused = try store.replica.deadLetters(writer).filter { $0.scope == scope }
      try store.retry(refused, &rights, writer)
      return true
    }
  }
}

extension SyncedStore {
  /// The rows that the account of the file may write.
  func rights(_ reader: Reader) -> WriteRights {
    // NB: A damaged setting is reported when the app reads it.
    let account = try? Self.account(reader)
    return WriteRights(reader: reader, account: account?.id.uuidString)
  }

  /// Retries refused changes of a restored scope in the order in which they were made, each after the rows
  /// that it refers to. Those that cannot be made, or that the account may not make, stay refused.
  fileprivate func retry(
    _ deadLetters: [DeadLetter], _ rights: inout WriteRights, _ writer: Writer
  ) throws {
    let edits = deadLetters.compactMap { letter in letter.op.map { (letter, $0.stamp) } }
    var (open, count) = (edits.sorted { $0.1 < $1.1 }.map(\.0), Int.max)
    while open.count < count {
      count = open.count
      open = try open.filter { try !retry($0, &rights, writer) }
    }
  }

  /// - Returns: whether the change was made.
  private func retry(
    _ deadLetter: DeadLetter, _ rights: inout WriteRights, _ writer: Writer
  ) throws -> Bool {
    struct NotAllowed: Error {}
    guard let table = replica.schema[deadLetter.row.table],
      let columns = replica.schema.present[deadLetter.row.table]
    else { return false }
    let visible = VisibleRows(schema: replica.schema, writer: writer)
    func check() throws {
      guard let values = try visible.values(of: deadLetter.row, in: columns) else { return }
      let isAllowed = try rights.allow(values, of: deadLetter.row.id, in: table)
      guard isAllowed else { throw NotAllowed() }
    }
    do {
      return try writer.savepoint { writer in
        try check()
        let isDone = try replica.retry(deadLetter.id, countsCaptured: false, writer)
        try check()
        if writer.connection.hasDanglingReferences { throw NotAllowed() }
        return isDone
      }
    } catch is NotAllowed {
      return false
    } catch let error as DatabaseError where error.isRefusal {
      return false
    }
  }
}
