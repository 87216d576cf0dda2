import Offshore
public import OffshoreWire

/// The synced tables of an app. They determine the captured changes and the server's manifest.
///
/// ```swift
/// let schema = try SyncSchema(
///   version: 1,
///   SyncTable(Charter.self, scope: .kind("charter", \.id)),
///   SyncTable(Crew.self, scope: .kind("charter", \.charterID)))
/// try schema.manifest.json().write(to: file)
/// ```
///
/// The initializer checks the schema against the declared tables, and throws if it does not fit
/// them. Each synced table has to have one key column, a TEXT that is compared byte by byte,
/// because an id has to mean the same on every device.
public struct SyncSchema: Sendable {
  /// The tables that the app has, in declared order.
  public let tables: [SyncTable]
  /// The manifest, which the server loads.
  public let manifest: Manifest
  /// The manifest without what the app does not have any more.
  let present: Manifest

  private let places: [String: Int]
  /// The queries of batches that depend on the claimable kinds.
  let batchQueries: BatchQueries

  /// Declares the synced tables, and checks them against the declarations of the tables.
  /// - Parameters:
  ///   - version: at least 1, and greater with each release that changes the declarations.
  ///   - tables: the synced tables.
  ///   - claimableKinds: the kinds of scopes that are owned by the first account that writes to
  ///     them. So a device can create a scope offline without permission. The values of such scopes
  ///     should be impossible to guess.
  ///   - personalKinds: the kinds of scopes of which each account has one, its personal scope, with
  ///     the account's id as the value.
  ///   - admittingKinds: the kinds of scopes to which an owner may add accounts without an invitation,
  ///     if they share another scope; see ``SyncedStore/addMember(_:as:to:)``.
  ///   - memberLimits: the maximum number of members of a scope, by kind; by default there is no limit. The
  ///     server refuses further members.
  ///   - membershipLimits: the maximum number of scopes of a kind of which an account is a member. The
  ///     server refuses further ones, joined or created.
  ///   - accessRules: the rules by which accounts read personal scopes of each other, derived by the server
  ///     from memberships and rows; see `AccessRule`.
  /// - Throws: ``ReplicaError`` with the code `declaration` that names the mistake.
  public init(
    version: Int, _ tables: SyncTable..., claimableKinds: Set<String> = [],
    personalKinds: Set<String> = [], admittingKinds: Set<String> = [],
    memberLimits: [String: Int] = [:], membershipLimits: [String: Int] = [:],
    accessRules: [AccessRule] = []
  ) throws {
    try self.init(
      version: version, tables: tables, claimableKinds: claimableKinds,
      personalKinds: personalKinds, admittingKinds: admittingKinds, memberLimits: memberLimits,
      membershipLimits: membershipLimits, accessRules: accessRules)
  }

  /// Declares the synced tables as a list.
  /// - Throws: ``ReplicaError`` with the code `declaration` that names the mistake.
  public init(
    version: Int, tables: [SyncTable], claimableKinds: Set<String> = [],
    personalKinds: Set<String> = [], admittingKinds: Set<String> = [],
    memberLimits: [String: Int] = [:], membershipLimits: [String: Int] = [:],
    accessRules: [AccessRule] = []
  ) throws {
    let present = tables.filter { !$0.isRetired }
    let keys = Dictionary(
      present.map { ($0.name, $0.idColumn) }, uniquingKeysWith: { first, _ in first })
    for table in present { try SyncTableCheck(table: table, keys: keys).run() }
    self.tables = present
    places = Dictionary(
      present.enumerated().flatMap { [($1.name, $0), ($1.sentName, $0)] },
      uniquingKeysWith: { first, _ in first })
    let sentNames = Dictionary(
      tables.map { ($0.name, $0.sentName) }, uniquingKeysWith: { first, _ in first })
    do {
      manifest = try Manifest(
        version: version, tables: tables.map { $0.declaration(sentNames) },
        claimableKinds: claimableKinds, personalKinds: personalKinds,
        admittingKinds: admittingKinds, memberLimits: memberLimits,
        membershipLimits: membershipLimits, accessRules: accessRules.map { $0.sent(tables) })
      self.present = try manifest.withoutRetired()
    } catch {
      throw ReplicaError(.declaration, error.description)
    }
    batchQueries = BatchQueries(manifest)
  }

  /// The synced table with a name, in the database or in messages; `nil` if the app has none.
  subscript(name: String) -> SyncTable? { places[name].map { tables[$0] } }

  /// Returns the rows, as messages name them, that the key of a scope's root row may belong to: one for each
  /// table whose key is the value of such a scope.
  func roots(of scope: ScopeID) -> [RowID] {
    tables.filter { $0.scopeKind == scope.kind && $0.scopeColumn == $0.idColumn }
      .map { RowID(table: $0.sentName, id: scope.value) }
  }
}

extension SyncTable {
  /// The table as the manifest declares it.
  /// - Parameter sentNames: the names of tables in messages, by their present ones.
  fileprivate func declaration(_ sentNames: [String: String]) -> SyncedTable {
    let derived = Dictionary(
      derivedColumns.map { ($0.name, $0.from) }, uniquingKeysWith: { first, _ in first })
    let columns = syncedColumns.map { column in
      let sent = sentName(of: column.name)
      return SyncedColumn(
        sent, StorageType(affinityOf: column.sqlType), isNullable: column.isNullable,
        policy: policy(of: column.name) ?? .lastWriter,
        reference: column.reference.map { sentNames[$0.table] ?? $0.table },
        renamed: sent == column.name ? nil : column.name,
        hasDefault: !column.isNullable && column.defaultSQL != nil,
        derivedFrom: derived[column.name], isFile: files[column.name] != nil)
    }
    return SyncedTable(
      sentName, idColumn: idColumn, scopeKind: scopeKind, scopeColumn: sentScopeColumn,
      columns: columns + retiredColumns.map { $0.declaration(sentNames) },
      uniqueKeys: uniqueKeys.map { $0.map(sentName) }, idSource: idSource.map(sentName),
      writers: sentWriters, renamed: sentName == name ? nil : name, isRetired: isRetired)
  }
}

extension StorageType {
  /// Determines the type that SQLite stores in a column with a declared type
  /// (<https://sqlite.org/datatype3.html>, section 3.1).
  init(affinityOf sqlType: String) {
    let type = sqlType.uppercased()
    let isNamed = { (names: [String]) in names.contains { type.contains($0) } }
    self =
      if isNamed(["INT"]) {
        .integer
      } else if isNamed(["CHAR", "CLOB", "TEXT"]) {
        .text
      } else if isNamed(["BLOB"]) {
        .blob
      } else if isNamed(["REAL", "FLOA", "DOUB"]) {
        .real
      } else {
        .any
      }
  }
}
