public import Foundation
public import Offshore
public import OffshoreWire

/// All that is declared of an app's file: its migrations, its synced tables, and what follows from them.
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
/// A mistake in the declaration is an error of the ``SyncedStore`` that is opened with it.
public struct StoreSchema: Sendable {
  /// Changes rows before their owner's id is changed to the id of an account: for rows whose id is derived
  /// from the owner's, or that the account has already. It runs in the same transaction.
  public typealias HandOver =
    @Sendable (_ former: UUID, _ account: UUID, Writer) throws -> Void

  /// Returns the title of a row, or `nil` if it has none.
  public typealias TitleLookup = (ChangedRow) throws -> String?

  /// The steps that a file goes through. The table `settings` with the columns `name` and `value` is the
  /// library's: no migration has to create it.
  public let migrations: Migrations
  let replica: Result<Replica, any Error>
  let handOver: HandOver?
  let titles: (@Sendable (Reader) -> TitleLookup)?

  /// Declares a file.
  ///
  /// - Parameters:
  ///   - migrations: the steps that a file goes through.
  ///   - sync: the synced tables; without them nothing is synced.
  ///   - rules: the merge rules that the synced tables name.
  ///   - derivations: the updates of local columns that depend on synced rows, by table.
  ///   - handOver: the changes needed besides when the rows of a local user become an account's. The owner
  ///     columns themselves are changed by the library: the scope columns of personal kinds, and those
  ///     that tables declare as `owner`.
  ///   - titles: the titles of rows whose title is not a column. It is called once for each list of
  ///     changes, so the closure that it returns may cache what it reads.
  public init(
    migrations: Migrations, sync: @autoclosure () throws -> SyncSchema = try SyncSchema(version: 1),
    rules: MergeRules = MergeRules(), derivations: [String: Replica.Derivation] = [:],
    handOver: HandOver? = nil, titles: (@Sendable (Reader) -> TitleLookup)? = nil
  ) {
    self.migrations = migrations
    replica = Result {
      try Replica(sync(), rules: rules, derivations: derivations)
    }
    self.handOver = handOver
    self.titles = titles
  }

  /// The synced tables as the server loads them.
  /// - Throws: ``SyncError`` with the code `declaration` that names the contradiction.
  public var manifest: Manifest { get throws { try replica.get().schema.manifest } }
}
