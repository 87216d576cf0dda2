import Foundation
public import Offshore
import OffshoreWire

/// The pending and refused changes of a device, as a user sees them.
///
/// Without an account nothing is captured, and the lists are empty.
public struct OutgoingChanges: Sendable {
  /// The maximum number of pending changes that are listed one by one.
  static let listedCount = 100

  let store: SyncedStore

  // MARK: - Lists

  /// Observes the pending changes, the oldest first, and then the rows of which only files are to be sent. If
  /// there are more than 100, the others are only counted (``PendingChanges/moreCount``).
  public func pending() -> ObservedValues<PendingChanges> {
    store.values { [store] reader in
      guard try SyncedStore.isLinked(reader) else { return PendingChanges() }
      let names = store.names(reader)
      let groups = try PendingGroups(store.replica.outbox.changes(reader), names).all
      let commands = try PendingCommands(reader: reader).changes(
        names, by: SyncedStore.account(reader)?.id)
      // More changes than are listed need no names.
      let files = try unsentFiles(besides: groups, reader)
      let changes =
        try groups.prefix(Self.listedCount).map { try $0.change(names) } + commands
        + files.prefix(Self.listedCount).map { try $0.change(names) }
      let listed = changes.sorted { ($0.date ?? .distantFuture) < ($1.date ?? .distantFuture) }
        .prefix(Self.listedCount)
      return PendingChanges(
        listed: Array(listed),
        moreCount: groups.count + commands.count + files.count - listed.count)
    }
  }

  /// Observes the refused changes, the oldest first.
  public func refused() -> ObservedValues<[RefusedChange]> {
    store.values { try refused($0) }
  }

  /// Returns the refused changes, the oldest first.
  /// - Throws: `DatabaseError`.
  package func refused(_ reader: Reader) throws -> [RefusedChange] {
    guard try SyncedStore.isLinked(reader) else { return [] }
    let names = store.names(reader)
    let account = try SyncedStore.account(reader)?.id
    let schema = store.replica.schema
    var ends: [ScopeID: RefusedChange.End?] = [:]
    return try store.replica.deadLetters(reader).map { deadLetter in
      var end: RefusedChange.End?
      if let scope = deadLetter.scope {
        end = try ends[scope] ?? self.end(of: scope, reader)
        ends[scope] = .some(end)
      }
      return try RefusedChange(
        deadLetter, schema, names, by: account, end: end,
        isInPlace: try StoredRefusal.inPlace(deadLetter.id, of: deadLetter.row, schema, reader)
          != nil)
    }
  }

  private func end(of scope: ScopeID, _ reader: Reader) throws -> RefusedChange.End? {
    guard let end = try store.end(of: scope, reader) else { return nil }
    var isRestorable = false
    if case .deletedElsewhere = end.kind, try store.role(in: scope, reader)?.canWrite != false,
      let rows = try FormerScopes.rows(of: scope, reader)
    {
      var rights = store.rights(reader)
      isRestorable = try rows.canRestore(scope, store.replica.schema, &rights)
    }
    return RefusedChange.End(
      scope: scope, kind: end.kind, title: try store.formerTitle(of: scope, reader),
      isRestorable: isRestorable)
  }

  // MARK: - Decisions

  /// Undoes a pending change, including the changes of parts that were added or removed with its
  /// row.
  /// - Returns: whether the change was undone. A change cannot be undone while it is being sent, or
  ///   if later changes build on it.
  /// - Throws: `DatabaseError`.
  public func cancel(_ id: PendingChange.ID) async throws -> Bool {
    try await store.write { [store] writer in
      guard try SyncedStore.isLinked(writer) else { return false }
      if let command = PendingCommands.id(of: id) {
        return try store.replica.cancelCommand(
          writer, id: command, at: store.now().millisecondsSince1970,
          makeID: store.environment.makeID)
      }
      let outbox = store.replica.outbox
      let group = try PendingGroups(outbox.changes(writer), store.names(writer))[id]
      guard let group else { return false }
      guard let transaction = group.head.transaction else {
        return try store.replica.takeBack(
          Set(group.rows), isDeletion: group.head.kind == .deleted, writer,
          at: store.now().millisecondsSince1970, makeID: store.environment.makeID)
      }
      do {
        // Only the deletion is undone: earlier changes of the same rows are pending again.
        return group.head.kind == .deleted
          ? try outbox.cancelTransaction(transaction, writer)
          : try outbox.cancel(group.rows, writer)
      } catch let error as ReplicaError where error.code == .dependency {
        return false
      }
    }
  }

  /// Sends a change or a file again without delay that the server has refused; see ``PendingChange/refusal``.
  /// - Throws: `DatabaseError`.
  public func sendAgain(_ id: PendingChange.ID) async throws {
    try await store.write { [store] writer in
      guard try SyncedStore.isLinked(writer) else { return }
      let changes = try store.replica.outbox.changes(writer)
      if let entry = try unsentFiles(besides: [], writer).first(where: { $0.id == id }) {
        _ = try store.replica.retryFiles(of: [entry.row], writer)
        return
      }
      guard let rows = try PendingGroups(changes, store.names(writer))[id]?.rows else { return }
      try store.replica.sendAgain(Set(rows), writer)
    }
  }

  /// Makes a refused change again, over the current values of its row, as a pending change.
  ///
  /// Neither ``RefusedChange/canRetry`` nor the role of the account is checked, except in tables
  /// that not all members may write.
  /// - Returns: whether the change was made. It is `false` if the refused change does not exist or
  ///   its edit is unknown, or if the row to update is not on this device.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if only others may write the row, because
  ///   of ``SyncWriters``. `DatabaseError`, with the code `constraint` if a constraint refuses the
  ///   change. The refused change stays then.
  public func retry(_ id: RefusedChange.ID) async throws -> Bool {
    try await store.write { [store] writer in
      try store.repeatCommand(id, writer) ?? store.replica.retry(id, writer)
    }
  }

  /// Discards a refused change.
  /// - Throws: `DatabaseError`.
  public func discard(_ id: RefusedChange.ID) async throws {
    _ = try await store.write { [store] writer in
      let deadLetters = try store.replica.deadLetters(writer)
      let scope = deadLetters.first { $0.id == id }?.scope
      try store.replica.discard(id, writer)
      // Without refused changes there is no reason to restore the scope.
      if let scope, !deadLetters.contains(where: { $0.id != id && $0.scope == scope }) {
        try FormerScopes.forgetRows(of: scope, writer)
      }
    }
  }

  // MARK: - Counts

  /// Returns the rows of which only files are to be sent.
  /// - Parameter groups: the pending changes.
  private func unsentFiles(
    besides groups: [PendingGroups.Group], _ reader: Reader
  ) throws -> [UnsentFiles.Entry] {
    try UnsentFiles(schema: store.replica.schema, reader: reader)
      .entries(besides: groups.lazy.flatMap(\.rows))
  }

  /// Returns the number of pending changes, as ``pending()`` groups them, and that of rows of which only files
  /// are to be sent.
  func counts(_ reader: Reader) throws -> (pending: Int, unsentFiles: Int) {
    // Most of the time no change is pending.
    let changes = try store.replica.outbox.changes(reader)
    let groups = changes.isEmpty ? 0 : try PendingGroups(changes, store.names(reader)).all.count
    return (
      try PendingCommands(reader: reader).pending().count + groups,
      try UnsentFiles(schema: store.replica.schema, reader: reader)
        .entries(besides: changes.lazy.map(\.row)).count
    )
  }
}
