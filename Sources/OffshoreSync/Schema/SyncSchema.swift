import Offshore
public import OffshoreWire

/// The synced tables of an app: what is captured on the device, and the manifest for the server.
///
/// ```swift
/// let schema = try SyncSchema(
///   version: 1,
///   SyncTable(Charter.self, scope: .kind("charter", \.id)),
///   SyncTable(Crew.self, scope: .kind("charter", \.charterID)))
/// try schema.manifest.json().write(to: file)
/// ```
///
/// A schema that exists fits the declared tables. Each synced table has one key column, a TEXT that
/// compares byte by byte, because an id means the same on every device.
public struct SyncSchema: Sendable {
  /// The tables in declared order.
  public let tables: [SyncTable]
  /// What the server loads.
  public let manifest: Manifest
  /// What becomes of changes that wait while the app is updated.
  public let upgrades: [SyncUpgrade]

  private let places: [String: Int]

  /// Declares what is synced, and checks it against the tables' declarations.
  /// - Parameters:
  ///   - version: grows with each release that changes what is synced; 1 at the least.
  ///   - tables: what is synced.
  ///   - claimableKinds: the kinds of scopes that belong to whoever writes to one first, so that what is
  ///     made without a network needs nobody's leave. Their values should be impossible to guess.
  ///   - personalKinds: the kinds of scopes of which each account has one of its own, with its id as
  ///     value.
  ///   - upgrades: what releases did to columns, as long as devices may have changes from before.
  /// - Throws: ``SyncError`` with the code `declaration` that names what does not fit.
  public init(
    version: Int, _ tables: SyncTable..., claimableKinds: Set<String> = [],
    personalKinds: Set<String> = [], upgrades: [SyncUpgrade] = []
  ) throws {
    try self.init(
      version: version, tables: tables, claimableKinds: claimableKinds,
      personalKinds: personalKinds, upgrades: upgrades)
  }

  /// Declares what is synced, as a list.
  /// - Throws: ``SyncError`` with the code `declaration` that names what does not fit.
  public init(
    version: Int, tables: [SyncTable], claimableKinds: Set<String> = [],
    personalKinds: Set<String> = [], upgrades: [SyncUpgrade] = []
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
        personalKinds: personalKinds)
    } catch {
      throw SyncError(.declaration, error.description)
    }
  }

  /// The synced table of a name.
  subscript(name: String) -> SyncTable? { places[name].map { tables[$0] } }
}

extension SyncTable {
  /// The table as the server knows it.
  fileprivate var manifestTable: SyncedTable {
    SyncedTable(
      name, idColumn: idColumn, scopeKind: scopeKind, scopeColumn: scopeColumn,
      columns: syncedColumns.map { column in
        SyncedColumn(
          column.name, StorageType(affinityOf: column.sqlType), isNullable: column.isNullable,
          policy: policy(of: column.name) ?? .lastWriter, reference: column.reference?.table)
      }, uniqueKeys: uniqueKeys, idSource: idSource)
  }
}

extension StorageType {
  /// What SQLite stores in a column of a type (<https://sqlite.org/datatype3.html>, section 3.1).
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
