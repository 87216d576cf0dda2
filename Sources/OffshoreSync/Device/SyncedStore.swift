public import Foundation
public import Offshore
public import OffshoreLogging
public import OffshoreWire

/// The file of an app: its database, its synced tables, its user and its settings.
///
/// ```swift
/// let store = try SyncedStore(path, schema: AppSchema.current)
/// try await store.write { try item.insert($0) }
/// for try await items in store.values(of: Item.order { $0.name }) { … }
/// ```
///
/// A file has a user from the beginning: an id that is created with the file. When the user signs
/// in to an account, the rows become the account's. From then on changes are captured and sent. An
/// app that syncs nothing uses a store in the same way.
public final class SyncedStore: Sendable {
  /// The declaration of the file.
  public let schema: StoreSchema
  /// The database, migrated to the declared version.
  public let database: Database
  /// The synced tables of the database; it has none if the schema syncs none.
  public let replica: Replica
  /// The files that rows refer to, in the folder `<path>-files`.
  public let files: BlobFolder
  /// The logger of failures in the background, such as that of a sync.
  package let logger: AppLogger

  let environment: Environment
  let erasure: Erasure

  /// The sources of time and ids, and the logger.
  public struct Environment: Sendable {
    /// The current time.
    public var now: @Sendable () -> Date = { Date() }
    /// Creates ids: of the user, of the device, and of batches.
    public var makeID: @Sendable () -> UUID = { UUID() }
    /// The logger of failures in the background, such as that of a sync. A ``LoggedStore`` without
    /// a logger of its own uses it too.
    public var logger = AppLogger.sync

    /// Creates an environment with the system's clock, random ids and the default log.
    public init() {}
  }

  // MARK: - Opening

  /// Opens a file, runs the migrations that it lacks, and prepares it for capturing changes if it
  /// belongs to an account. A file that does not exist is created.
  ///
  /// - Throws: ``ReplicaError``: `declaration` if the schema contradicts itself, `newerLayout` and
  ///   `missingTable` as ``Outbox/install(_:device:account:now:reportingTo:)``. `DatabaseError`; the file
  ///   is then as the last complete migration left it.
  public convenience init(
    _ path: String, schema: StoreSchema,
    configuration: DatabaseConfiguration = DatabaseConfiguration(),
    environment: Environment = Environment()
  ) throws {
    try self.init(schema, configuration, environment) { try Database(path, configuration: $0) }
  }

  /// Opens an empty store in a temporary folder that is removed when the store is closed.
  /// - Throws: ``ReplicaError`` with the code `declaration`; `DatabaseError`.
  public static func temporary(
    schema: StoreSchema, environment: Environment = Environment()
  ) throws -> SyncedStore {
    try temporary(schema, DatabaseConfiguration(), environment)
  }

  static func temporary(
    _ schema: StoreSchema, _ configuration: DatabaseConfiguration, _ environment: Environment
  ) throws -> SyncedStore {
    try SyncedStore(schema, configuration, environment) {
      try Database.temporary(configuration: $0)
    }
  }

  private init(
    _ schema: StoreSchema, _ configuration: DatabaseConfiguration, _ environment: Environment,
    _ open: (DatabaseConfiguration) throws -> Database
  ) throws {
    let replica = try schema.replica.get()
    let erasure = Erasure(schema: schema, configuration: configuration, environment: environment)
    var configuration = configuration
    configuration.prepareConnection = { [prepare = configuration.prepareConnection] connection in
      try DerivedID.addFunction(to: connection)
      try prepare?(connection)
    }
    configuration.prepareWriter = { [prepare = configuration.prepareWriter] connection in
      try prepare?(connection)
      try erasure.resume(on: connection)
      try connection.migrate(schema.migrations)
      try connection.write { writer in
        try Self.prepareSettings(environment, writer)
        if try Self.isLinked(writer) { try Self.capture(replica, environment, writer) }
      }
    }
    self.schema = schema
    self.replica = replica
    self.environment = environment
    self.erasure = erasure
    logger = environment.logger
    database = try open(configuration)
    files = BlobFolder.of(database.path)
  }

  /// Completes the operations in progress, and closes the file.
  ///
  /// Later reads and writes throw `DatabaseError` with the code `closed`, and so do observations of
  /// the store.
  public func close() async { await database.close() }

  /// Creates an id.
  package func makeID() -> UUID { environment.makeID() }

  /// Returns the current time.
  package func now() -> Date { environment.now() }

  /// The path of the file.
  public var path: String { database.path }

  private static func prepareSettings(_ environment: Environment, _ writer: Writer) throws {
    try Setting.creation.run(writer)
    guard try !Setting.find(UserIDSetting.name).exists(writer) else { return }
    try UserIDSetting(value: environment.makeID()).insert(writer)
  }

  private static func capture(
    _ replica: Replica, _ environment: Environment, _ writer: Writer
  ) throws {
    let (now, logger) = (environment.now, environment.logger)
    // NB: A damaged setting is reported when the app reads it, and does not keep the file closed.
    let account = try? account(writer)
    try replica.outbox.install(
      writer, device: DeviceID(environment.makeID()), account: account?.id,
      now: { now().millisecondsSince1970 },
      reportingTo: { logger.warning("end of write failed", .kind(of: $0)) })
  }

  // MARK: - Reading and writing

  /// Runs a closure that sees one unchanging snapshot of the database, as `Database.read(_:)` does.
  /// - Throws: the error of the closure, `CancellationError`, or `DatabaseError`.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Reader) throws -> Result
  ) async throws -> Result {
    try await database.read(body)
  }

  /// Runs a closure whose changes are committed together or not at all, as `Database.write(_:)`
  /// does.
  /// - Throws: the error of the closure, `CancellationError`, or `DatabaseError`. Nothing has
  ///   changed then.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await database.write(body)
  }

  /// Runs a closure inside a write whose changes of rows are not captured: they count as the server's, and are
  /// not sent.
  /// - Throws: any error of the closure. The changes before it stay, unless the write throws it, too.
  package static func uncaptured<Result>(
    _ writer: Writer, _ body: () throws -> Result
  ) throws -> Result {
    try isLinked(writer) ? try writer.applying(body) : try body()
  }

  /// Returns a time of the device's clock by that of the server, as far as this device has learned how they
  /// differ.
  /// - Throws: `DatabaseError`.
  package static func serverTime(at date: Date, _ reader: Reader) throws -> Date {
    guard try isLinked(reader) else { return date }
    let offset = try StateRow.all.select { $0.ahead }.first(reader) ?? nil
    return date.addingTimeInterval(Double(offset ?? 0) / 1_000)
  }

  /// Changes columns of the rows of a query, if the account may change the rows.
  ///
  /// ```swift
  /// try await store.update(Item.find(id)) { [$0.isPacked.set(true)] }
  /// ```
  /// - Returns: the number of changed rows.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if the account may only read one of them.
  ///   `DatabaseError`.
  @discardableResult
  public func update<Row: Record>(
    _ rows: Query<Row>, _ assignments: @escaping @Sendable (Columns<Row>) -> [Assignment]
  ) async throws -> Int {
    try await write { [self] writer in
      try checkMayEdit(rows, writer)
      return try rows.update(writer, assignments)
    }
  }

  /// Observes the results of a query, a join or a selection, and throws the same errors as
  /// `Database.values(of:)`.
  public func values<Results: Fetchable>(
    of results: Results
  ) -> ObservedValues<[Results.Element]> where Results.Element: Equatable {
    database.values(of: results)
  }

  /// Observes the result of a closure that reads. Errors are thrown as by ``values(of:)``.
  public func values<Value: Equatable & Sendable>(
    _ fetch: @escaping @Sendable (Reader) throws -> Value
  ) -> ObservedValues<Value> {
    database.values(fetch)
  }

  // MARK: - Settings

  /// Returns the value of a setting of this device, or `nil` if it is not set.
  /// - Throws: `DatabaseError`.
  public func setting(_ name: String) async throws -> String? {
    try await read { try Setting.value(name, $0) }
  }

  /// Stores a setting of this device, or removes it if the value is `nil`.
  ///
  /// - Parameter name: a name that the app chooses. It must not be the name of a setting of the
  ///   library, whose value the call would replace: `account`, `accountToken`, `airplane`,
  ///   `erasure`, `language`, `userID`, and names that begin with `draft.`, `formerRows.`,
  ///   `formerTitle.`, `kept.`, `librarySeeded.`, `memberNames.` or `secret.`.
  /// - Throws: `DatabaseError`.
  public func set(_ name: String, to value: String?) async throws {
    try await write { try Setting.set(name, to: value, $0) }
  }

  // MARK: - User and account

  /// The name of the setting with the id of the user, for a query that joins it.
  package static let userIDSetting = "userID"
  /// The name of the setting with the code of the chosen language.
  package static let languageSetting = "language"

  /// Returns the id that owns the rows made on this device: the account's, or else the local
  /// user's.
  /// - Throws: `DatabaseError`: `invalidValue` if the stored value is not an id, `notFound` if the
  ///   file was never opened with a `SyncedStore`.
  public static func userID(_ reader: Reader) throws -> UUID {
    guard let setting = try UserIDSetting.find(UserIDSetting.name).first(reader) else {
      throw DatabaseError(.notFound, "The file has no user. Open it with a SyncedStore.")
    }
    return setting.value
  }

  /// Returns the account that the file belongs to, or `nil` if it belongs to none.
  /// - Throws: `DatabaseError`.
  public static func account(_ reader: Reader) throws -> LinkedAccount? {
    try AccountSetting.find(AccountSetting.name).first(reader)?.value
  }

  /// Returns whether the file belongs to an account, so that changes are captured.
  package static func isLinked(_ reader: Reader) throws -> Bool {
    try Setting.find(AccountSetting.name).exists(reader)
  }

  /// Returns the user's id, and the account with its access token.
  package func identity() async throws -> (
    userID: UUID, account: LinkedAccount?, token: String?
  ) {
    try await read { reader in
      (
        try Self.userID(reader), try Self.account(reader),
        try Setting.value(Setting.token, reader)
      )
    }
  }

  /// Gives the file to an account, in one transaction: its rows become the account's, and from then
  /// on changes are captured.
  ///
  /// If the file belongs to the account already, only the account's name, its server and the access
  /// token are replaced.
  /// - Parameters:
  ///   - account: the account.
  ///   - token: the access token, which is a secret; `nil` if the device is not signed in, so that
  ///     changes are captured and not sent.
  /// - Throws: ``ReplicaError`` with the code `otherAccount` if the file belongs to another
  ///   account; an error of the schema's ``StoreSchema/HandOver``; `DatabaseError`. Nothing has
  ///   changed then.
  public func link(_ account: LinkedAccount, token: String?) async throws {
    try await write { [self] writer in
      if let linked = try Self.account(writer), linked.id != account.id {
        throw ReplicaError(
          .otherAccount, "The file belongs to another account. Sign in to that one.")
      }
      let former = try Self.userID(writer)
      if former != account.id {
        try HandOver(schema, replica.schema).run(from: former, to: account.id, writer)
      }
      try UserIDSetting(value: account.id).save(writer)
      try AccountSetting(value: account).save(writer)
      try Setting.set(Setting.token, to: token, writer)
      try Self.capture(replica, environment, writer)
    }
  }

  /// Stores the access token, or removes it with `nil` when the device signs out. The file still
  /// belongs to the account then, and changes are captured.
  ///
  /// A ``SyncDriver`` does not read the stored token; see ``SyncDriver/setToken(_:)``.
  /// - Throws: `DatabaseError`.
  public func setToken(_ token: String?) async throws {
    try await set(Setting.token, to: token)
  }

  /// Stores the seeds of a user, once and only if the tables of personal kinds have no rows of the
  /// user.
  /// - Returns: whether the rows were stored.
  /// - Throws: `DatabaseError`; the call can be retried then.
  @discardableResult
  package func seed(_ rows: [any Record], of userID: UUID) async throws -> Bool {
    try await write { [schema = replica.schema] writer in
      try Seeds(schema: schema, userID: userID).store(rows, writer)
    }
  }

  // MARK: - Roles

  /// Returns the role of the account in a scope, or `nil` if the server has granted none, for
  /// example in a new scope that was not sent yet. A role that the account gives itself, such as by
  /// leaving, applies before the server has received it.
  /// - Throws: `DatabaseError`.
  public func role(in scope: ScopeID, _ reader: Reader) throws -> Role? {
    try Self.isLinked(reader) ? try replica.role(in: scope, reader) : nil
  }

  /// Returns the roles of the account in all scopes of a kind in which the server has granted one.
  /// - Throws: `DatabaseError`.
  public func roles(
    inScopesOf kind: String, _ reader: Reader
  ) throws -> [ScopeID: Role] {
    try Self.isLinked(reader) ? try replica.roles(inScopesOf: kind, reader) : [:]
  }

  /// Checks that the account may change rows of a scope.
  ///
  /// The check succeeds if the role is owner or editor. It also succeeds if the server has granted
  /// no role yet, for example in a new scope, and in a file without an account.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if the role is viewer, revoked or left.
  ///   `DatabaseError`.
  public func checkMayEdit(_ scope: ScopeID, _ reader: Reader) throws {
    switch try role(in: scope, reader) {
    case .owner, .editor, nil: break
    case .viewer, .revoked, .left:
      throw ReplicaError(
        .forbidden, "The account may only read this. Ask the owner for another role.")
    }
  }

  /// Checks that the account may change the rows of a query.
  ///
  /// Rows of tables that are not synced can always be changed. Rows that are damaged, so that they
  /// name no valid scope, pass the check as well, so that the user can delete them.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if the role in the scope of one of the
  ///   rows is viewer, revoked or left. `DatabaseError`.
  public func checkMayEdit<Row: Record>(_ rows: Query<Row>, _ reader: Reader) throws {
    guard let table = replica.schema[Row.table.name], try Self.isLinked(reader) else { return }
    let values = try SQL(
      """
      SELECT DISTINCT CAST(\(identifier: table.scopeColumn) AS TEXT) FROM (\(rows.sql))
      WHERE \(identifier: table.scopeColumn) IS NOT NULL
      """
    ).all(reader, as: String.self)
    for value in values {
      guard let scope = try? ScopeID(kind: table.scopeKind, value: value) else { continue }
      try checkMayEdit(scope, reader)
    }
  }

  /// Removes the copy of a scope that the account has left: all rows of the scope on this device.
  ///
  /// The role of the account in the scope is `revoked` from then on. The content of the rows is overwritten
  /// in the file and its log; if a read prevents that for long, after the first pull of the next driver.
  /// - Returns: whether a copy existed.
  /// - Throws: `DatabaseError`.
  public func removeCopy(of scope: ScopeID) async throws -> Bool {
    let isRemoved = try await write { [replica, environment] writer in
      guard try Self.isLinked(writer) else { return false }
      return try replica.removeCopy(
        of: scope, writer, at: environment.now().millisecondsSince1970, makeID: environment.makeID)
    }
    // A failure or a cancellation does not undo the removal.
    if isRemoved { _ = await Task { [database] in try? await database.emptyLog() }.value }
    return isRemoved
  }

  // MARK: - Changes

  /// The pending and refused changes.
  public var changes: OutgoingChanges { OutgoingChanges(store: self) }
}
