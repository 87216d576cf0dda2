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
  ///     stored.
  func store(
    _ removals: [RowID], _ pending: PendingOps, isReadable: (ScopeID) -> Bool
  ) throws {
    let visible = VisibleRows(schema: schema, writer: writer)
    for row in removals {
      guard let table = schema[row.table], table.scopeColumn == table.idColumn,
        let scope = try? ScopeID(kind: table.scopeKind, value: row.id), try hasSettings,
        try visible.exists(row)
      else { continue }
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
  private var hasSettings: Bool {
    get throws {
      try SQL("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'settings')")
        .first(writer, as: Bool.self) ?? false
    }
  }

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

  /// Deletes the stored rows of a scope whose refused changes the user has discarded.
  static func forgetRows(of scope: ScopeID, _ writer: Writer) throws {
    try Setting.set(rowsPrefix + scope.text, to: nil, writer)
  }

  /// Deletes the stored title and rows of a scope that exists again.
  static func forget(_ scope: ScopeID, _ writer: Writer) throws {
    try Setting.set(rowsPrefix + scope.text, to: nil, writer)
    try Setting.set(titlePrefix + scope.text, to: nil, writer)
  }
}

/// The rows of a scope as they were, by table and key.
struct FormerRows: WireCodable {
  private struct Row: WireCodable {
    let row: RowID
    let fields: [String: WireValue]

    init(_ row: RowID, _ fields: [String: WireValue]) {
      self.row = row
      self.fields = fields
    }

    func encode(into writer: inout WireWriter) {
      writer.text(row.table)
      writer.text(row.id)
      writer.count(fields.count)
      for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
        writer.text(field)
        writer.value(value)
      }
    }

    init(from reader: inout WireReader) throws(WireError) {
      row = RowID(table: try reader.text(), id: try reader.text())
      var fields: [String: WireValue] = [:]
      for _ in 0..<(try reader.count()) {
        let field = try reader.text()
        fields[field] = try reader.value()
      }
      self.fields = fields
    }
  }

  private let rows: [Row]

  init(of scope: ScopeID, _ schema: SyncSchema, _ writer: Writer) throws {
    let visible = VisibleRows(schema: schema, writer: writer)
    rows = try schema.manifest.tables.filter { schema[$0.name]?.scopeKind == scope.kind }
      .flatMap { table -> [Row] in
        guard let column = schema[table.name]?.scopeColumn else { return [] }
        let ids = try SQL(
          """
          SELECT \(identifier: table.idColumn) FROM \(identifier: table.name)
          WHERE \(identifier: column) = \(scope.value) ORDER BY 1
          """
        ).all(writer, as: String.self)
        return try ids.compactMap { id in
          let row = RowID(table: table.name, id: id)
          return try visible.values(of: row, in: table).map { Row(row, $0) }
        }
      }
  }

  func encode(into writer: inout WireWriter) {
    writer.count(rows.count)
    for row in rows { writer.value(row) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    var rows: [Row] = []
    for _ in 0..<(try reader.count()) { rows.append(try reader.value()) }
    self.rows = rows
  }

  /// Inserts the rows again, as changes of this device.
  func restore(_ schema: SyncSchema, _ writer: Writer) throws {
    // A row may refer to one that comes later.
    try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
    let visible = VisibleRows(schema: schema, writer: writer)
    for row in rows {
      guard let table = schema.manifest[row.row.table] else { continue }
      let known = row.fields.filter { table[$0.key] != nil }
      try visible.write(known, of: row.row, in: table)
    }
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
  /// - Returns: `false` if the scope's rows are not stored, or if it is not deleted. A refused
  ///   change that cannot be made stays refused.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if the account may not change the scope.
  ///   `DatabaseError`; nothing is changed then.
  package func restore(_ scope: ScopeID) async throws -> Bool {
    try await store.write { [store] writer in
      // If the other device has undone the deletion, its rows are newer than the stored ones.
      guard try SyncedStore.isLinked(writer),
        case .deletedElsewhere = try store.end(of: scope, writer)?.kind,
        let rows = try FormerScopes.rows(of: scope, writer)
      else { return false }
      try store.checkMayEdit(scope, writer)
      try rows.restore(store.replica.schema, writer)
      try FormerScopes.forget(scope, writer)
      for deadLetter in try store.replica.deadLetters(writer) where deadLetter.scope == scope {
        _ = try store.replica.retry(deadLetter.id, writer)
      }
      return true
    }
  }
}
