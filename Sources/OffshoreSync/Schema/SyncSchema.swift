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
  /// The tables in declared order.
  public let tables: [SyncTable]
  /// The manifest, which the server loads.
  public let manifest: Manifest
  /// The column changes of former releases, by which captured changes are converted after an update
  /// of the app.
  public let upgrades: [SyncUpgrade]

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
  ///   - upgrades: the column changes of former releases, as long as devices may have captured
  ///     changes from before them.
  /// - Throws: ``ReplicaError`` with the code `declaration` that names the mistake.
  public init(
    version: Int, _ tables: SyncTable..., claimableKinds: Set<String> = [],
    personalKinds: Set<String> = [], admittingKinds: Set<String> = [],
    memberLimits: [String: Int] = [:], membershipLimits: [String: Int] = [:],
    upgrades: [SyncUpgrade] = []
  ) throws {
    try self.init(
      version: version, tables: tables, claimableKinds: claimableKinds,
      personalKinds: personalKinds, admittingKinds: admittingKinds, memberLimits: memberLimits,
      membershipLimits: membershipLimits, upgrades: upgrades)
  }

  /// Declares the synced tables as a list.
  /// - Throws: ``ReplicaError`` with the code `declaration` that names the mistake.
  public init(
    version: Int, tables: [SyncTable], claimableKinds: Set<String> = [],
    personalKinds: Set<String> = [], admittingKinds: Set<String> = [],
    memberLimits: [String: Int] = [:], membershipLimits: [String: Int] = [:],
    upgrades: [SyncUpgrade] = []
  ) throws {
    let keys = Dictionary(
      tables.map { ($0.name, $0.idColumn) }, uniquingKeysWith: { first, _ in first })
    for table in tables { try SyncTableCheck(table: table, keys: keys).run() }
    for upgrade in upgrades { try upgrade.check(in: version) }
    self.tables = tables
    self.upgrades = upgrades
    places = Dictionary(
      tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    do {
      manifest = try Manifest(
        version: version, tables: tables.map(\.manifestTable), claimableKinds: claimableKinds,
        personalKinds: personalKinds, admittingKinds: admittingKinds, memberLimits: memberLimits,
        membershipLimits: membershipLimits)
    } catch {
      throw ReplicaError(.declaration, error.description)
    }
    batchQueries = BatchQueries(manifest)
  }

  /// The synced table with a name, or `nil` if it is not declared.
  subscript(name: String) -> SyncTable? { places[name].map { tables[$0] } }
}

extension SyncTable {
  /// The table as the manifest declares it.
  fileprivate var manifestTable: SyncedTable {
    SyncedTable(
      name, idColumn: idColumn, scopeKind: scopeKind, scopeColumn: scopeColumn,
      columns: syncedColumns.map { column in
        SyncedColumn(
          column.name, StorageType(affinityOf: column.sqlType), isNullable: column.isNullable,
          policy: policy(of: column.name) ?? .lastWriter, reference: column.reference?.table)
      }, uniqueKeys: uniqueKeys, idSource: idSource, writers: writers)
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
