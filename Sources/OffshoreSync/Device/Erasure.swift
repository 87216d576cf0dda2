package import Offshore
import OffshoreLogging

/// The removal of everything in a file, as if the app had just been installed.
///
/// A setting of the file has the state, so that an erasure that was interrupted is completed when the
/// file is opened again:
///
/// 1. `requested`: the content is still there. A new, migrated content replaces it in one transaction
///    of SQLite.
/// 2. `replaced`: the content is new. The files of former rows are still in their folder.
/// 3. `cleared`: the files of former rows are set aside, so that the new user can add others. They are
///    to be deleted, and so are the backups that migrations have made. Former content may still be in
///    the write-ahead log, and in pages of the file that the log has not overwritten yet.
/// 4. No setting: nothing has any former content.
package struct Erasure: Sendable {
  private enum State: String {
    case requested
    case replaced
    case cleared
  }

  private static let setting = "erasure"
  /// The settings that the file retains, because they belong to the device.
  private static let retained = [SyncedStore.languageSetting]

  let schema: StoreSchema
  /// The configuration of the file's connections.
  let configuration: DatabaseConfiguration
  let environment: SyncedStore.Environment

  /// Creates the erasure of files with a schema.
  package init(
    schema: StoreSchema, configuration: DatabaseConfiguration,
    environment: SyncedStore.Environment
  ) {
    (self.schema, self.configuration, self.environment) = (schema, configuration, environment)
  }

  // MARK: - The request

  /// Stores the request, which survives the end of the process.
  package static func request(_ writer: Writer) throws {
    try Setting.set(setting, to: State.requested.rawValue, writer)
  }

  /// Removes the request, unless the content was replaced.
  static func withdraw(_ writer: Writer) throws {
    try Setting.find(setting).where { $0.value == State.requested.rawValue }.delete(writer)
  }

  private static func state(_ reader: Reader) throws -> State? {
    try Setting.value(setting, reader).flatMap { State(rawValue: $0) }
  }

  // MARK: - Steps

  /// Completes an erasure that was interrupted, before a file is used.
  /// - Parameter connection: the connection that writes, outside of any transaction.
  /// - Throws: `DatabaseError` if the content cannot be replaced.
  package func resume(on connection: Connection) throws {
    let state = try connection.read { reader in
      try Setting.areStored(reader) ? try Self.state(reader) : nil
    }
    guard let state else { return }
    if state == .requested { try replaceContent(of: connection) }
    removeRemains(on: connection)
  }

  /// Replaces the content by that of a new file, unless another process has done it since the request: the
  /// next user may have begun there.
  /// - Throws: `DatabaseError`. Nothing has changed then.
  package func replaceContent(of connection: Connection) throws {
    let retained = try connection.read { reader in
      try Self.retained.compactMap { try Setting.find($0).first(reader) }
    }
    let new = try newStore(pageSize: try connection.pageSize)
    let source = try Connection(new.path)
    defer { source.close() }
    try source.write { writer in
      for setting in retained { try setting.save(writer) }
      try Setting.set(Self.setting, to: State.replaced.rawValue, writer)
    }
    try connection.replaceContent(by: source) {
      // Another connection, because the one of the replacement must not be used meanwhile.
      let other = try Connection(connection.path)
      defer { other.close() }
      return try other.read { try Self.state($0) } == .requested
    }
    // The new content has no tables for syncing.
    Outbox.uninstall(from: connection)
    // The folder of a temporary store is deleted together with the store.
    withExtendedLifetime(new) {}
  }

  /// Creates a migrated store with a new user, in a temporary folder.
  private func newStore(pageSize: Int) throws -> SyncedStore {
    var configuration = configuration
    configuration.prepareConnection = { [prepare = configuration.prepareConnection] connection in
      try connection.execute(SQL(raw: "PRAGMA page_size = \(pageSize)"))
      try prepare?(connection)
    }
    return try SyncedStore.temporary(schema, configuration, environment)
  }

  /// Removes the files of former rows and the backups, and former content from the log and the pages of
  /// the file.
  /// - Returns: whether that succeeded. Otherwise it is tried again when the file is opened again.
  @discardableResult
  package func removeRemains(on connection: Connection) -> Bool {
    do {
      let files = BlobFolder.of(connection.path)
      // In a write, so that of several processes one does it: the next files are those of the next user.
      try connection.write { writer in
        guard try Self.state(writer) == .replaced else { return }
        try files.setAside()
        try Setting.set(Self.setting, to: State.cleared.rawValue, writer)
      }
      try files.removeSetAside()
      try connection.removeMigrationBackups()
      guard try connection.moveWholeLog() else {
        environment.logger.warning("erasure not completed: a read uses the former content")
        return false
      }
      try connection.write { writer in
        try Setting.find(Self.setting).where { $0.value == State.cleared.rawValue }.delete(writer)
      }
      return true
    } catch {
      environment.logger.warning("erasure not completed", .kind(of: error))
      return false
    }
  }
}

extension SyncedStore {
  /// Removes the rows, files, queues, settings, account and user from this device, with all traces in its
  /// files, as if the app had just been installed. The server is not involved.
  ///
  /// Changes that were not sent yet are lost. The file gets a new local user, its migrations run anew,
  /// and only the choice of the language stays. If the process ends meanwhile, the file is erased when
  /// it is opened again. Observations receive the new content. Stop all drivers of the file before, and
  /// create new ones afterwards: they have facts about the former account. Another process that has the
  /// file open, or another store, reads the new content from then on. Before an account is linked, it has to
  /// open the file again: it would check writes by the rights of the former account.
  /// - Returns: whether the files have no former content any more. It is `false` if a read of the former
  ///   content, also by another process, takes longer than the busy timeout, or if a backup that
  ///   a migration has made cannot be deleted. This is tried again when the file is opened again.
  /// - Throws: `DatabaseError`, with the code `busy` if another connection writes for longer than the busy
  ///   timeout. Nothing has changed then, unless the message says that the file is erased when it is opened
  ///   again.
  @discardableResult
  public func erase() async throws -> Bool {
    // A cancellation of the caller does not reach it: the request would remain.
    try await Task { try await eraseAll() }.value
  }

  /// Removes the request of an erasure that has failed.
  /// - Throws: `DatabaseError` if that fails, too. The file is erased when it is opened again then.
  private func withdrawErasure() async throws {
    do {
      try await write { try Erasure.withdraw($0) }
    } catch {
      let code = (error as? DatabaseError)?.code ?? .other
      throw DatabaseError(
        code,
        "The file cannot be erased now, and is erased when it is opened again. Close the app, and open "
          + "it again.")
    }
  }

  private func eraseAll() async throws -> Bool {
    try await write { try Erasure.request($0) }
    do {
      try await database.performAlone { [erasure] in try erasure.replaceContent(of: $0) }
    } catch {
      try await withdrawErasure()
      throw error
    }
    return try await database.performAlone { [erasure] in erasure.removeRemains(on: $0) }
  }
}
