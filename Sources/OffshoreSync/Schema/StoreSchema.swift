public import Foundation
public import Offshore
public import OffshoreWire

/// The declaration of an app's file: its migrations, its synced tables, and their rules.
///
/// ```swift
/// enum AppSchema {
///   static let current = StoreSchema(
///     migrations: AppMigrations.all,
///     sync: try SyncSchema(
///       version: 1,
///       SyncTable(PackingList.self, scope: .kind("list", \.id), title: \.name),
///       SyncTable(
///         Item.self, scope: .kind("list", \.listID), title: \.name,
///         partOf: (PackingList.self, \.listID)),
///       claimableKinds: ["list"]))
/// }
/// ```
///
/// If the declaration has a mistake, opening a ``SyncedStore`` with it throws.
public struct StoreSchema: Sendable {
  /// Changes rows when a file is given to an account, before the library replaces the local user's
  /// id by the account's in the owner columns.
  ///
  /// Use it for rows whose own id is derived from the id of their user, and to delete rows of which
  /// the account already has its own on the server, such as unchanged seeds. The first argument is
  /// the id of the local user, the second that of the account.
  ///
  /// It runs in the transaction of ``SyncedStore/link(_:token:)``. If it throws, nothing has
  /// changed, and the sign-in fails with the error.
  public typealias HandOver =
    @Sendable (_ former: UUID, _ account: UUID, Writer) throws -> Void

  /// Returns the title of a row, or `nil` if it has none.
  ///
  /// If it throws, for example a `DatabaseError` of ``ChangedRow/text(_:)``, the whole list of
  /// changes fails with this error.
  public typealias TitleLookup = (ChangedRow) throws -> String?

  /// The migrations of the file. The library creates the table `settings` with the columns `name`
  /// and `value`, so no migration has to.
  public let migrations: Migrations
  let replica: Result<Replica, any Error>
  let handOver: HandOver?
  let titles: (@Sendable (Reader) -> TitleLookup)?

  /// Declares a file.
  ///
  /// - Parameters:
  ///   - migrations: the migrations of the file.
  ///   - sync: the synced tables. By default nothing is synced.
  ///   - rules: the merge rules that the synced tables name.
  ///   - attemptLimits: the maximum number of times that a change is sent before it is stored as
  ///     refused, by the code of the rejection; see ``Replica/init(_:rules:attemptLimits:derivations:)``.
  ///   - derivations: the updates of derived columns, by the name of the synced table whose rows
  ///     they are about.
  ///   - handOver: the additional changes when the rows of a local user become an account's. The
  ///     library itself changes the owner columns: the scope columns of personal kinds, and the
  ///     columns that tables declare as `owner`.
  ///   - titles: the titles of rows of the tables that declare no `title`. It is called once for
  ///     each list of changes, so the closure that it returns may cache the rows that it reads.
  public init(
    migrations: Migrations, sync: @autoclosure () throws -> SyncSchema = try SyncSchema(version: 1),
    rules: MergeRules = MergeRules(), attemptLimits: [Rejection.Code: Int] = [:],
    derivations: [String: Replica.Derivation] = [:],
    handOver: HandOver? = nil, titles: (@Sendable (Reader) -> TitleLookup)? = nil
  ) {
    self.migrations = migrations
    replica = Result {
      let schema = try sync()
      try Self.checkGrants(of: schema)
      return try Replica(
        schema, rules: rules, attemptLimits: attemptLimits, derivations: derivations)
    }
    self.handOver = handOver
    self.titles = titles
  }

  /// Checks that accounts can get roles.
  private static func checkGrants(of schema: SyncSchema) throws(ReplicaError) {
    let manifest = schema.manifest
    guard let table = manifest.tables.first, manifest.claimableKinds.isEmpty,
      manifest.personalKinds.isEmpty
    else { return }
    throw ReplicaError(
      .declaration,
      """
      No account can get a role in any scope, so nothing would ever be sent. Name a kind of scope, such as \
      “\(table.scopeKind)” of “\(table.name)”, in claimableKinds if the first account that writes to such a \
      scope owns it, or in personalKinds if its value is the id of its account.
      """)
  }

  /// The manifest, which the server loads.
  /// - Throws: ``ReplicaError`` with the code `declaration` that names the mistake.
  public var manifest: Manifest { get throws { try replica.get().schema.manifest } }
}
