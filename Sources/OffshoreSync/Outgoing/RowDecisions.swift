import Foundation
public import Offshore
import OffshoreWire

/// Decisions about the changes of rows, by the rows themselves.
extension OutgoingChanges {
  /// Withdraws all pending and refused changes of rows, if the server has none of them. A row that was inserted
  /// is removed, and no other member ever receives it. Own rows that refer to it and that the server does not have
  /// either are removed with it.
  ///
  /// ```swift
  /// let isWithdrawn = try await store.changes.cancel(Item.find(id))
  /// ```
  ///
  /// The changes may be captured, sealed and not part of a request yet, sent again later, or refused with
  /// their rows in their places. In a file without an account, the rows are deleted.
  /// - Returns: whether they were withdrawn. If not, nothing has changed: the server may have one of the
  ///   changes, rows that it has refer to an inserted one, or there is no change.
  /// - Throws: `DatabaseError`.
  @discardableResult
  public func cancel<Row: Record>(_ rows: Query<Row>) async throws -> Bool {
    try await store.write { [store] writer in
      guard try SyncedStore.isLinked(writer) else {
        return try store.replica.schema[Row.table.name] != nil && rows.delete(writer) > 0
      }
      let found = try store.synced(rows, writer)
      guard !found.isEmpty else { return false }
      return try store.replica.withdraw(
        found, writer, at: store.now().millisecondsSince1970, makeID: store.environment.makeID)
    }
  }

  /// Changes columns of inserted rows that the server does not have, so that it receives only the new values.
  ///
  /// ```swift
  /// try await store.changes.edit(Item.find(id)) { [$0.name.set("Rope")] }
  /// ```
  ///
  /// Refused rows, in their places or sent again later, are sent without delay, also if their values stay
  /// the same, and their attempts are counted anew. In a file without an account, and in a table that is not
  /// synced, it is an ordinary update.
  /// - Returns: the number of changed rows.
  /// - Throws: ``ReplicaError``: `alreadySent` if the server has one of the rows or may have it, `dependency`
  ///   if a later change builds on one, `forbidden` if the account may not write one, `invalidValue` if the
  ///   new values cannot be sent. `DatabaseError`. Nothing has changed then.
  @discardableResult
  public func edit<Row: Record>(
    _ rows: Query<Row>, _ assignments: @escaping @Sendable (Columns<Row>) -> [Assignment]
  ) async throws -> Int {
    try await store.write { [store] writer in
      let found = try store.synced(rows, writer)
      guard !found.isEmpty else { return try rows.update(writer, assignments) }
      try store.checkMayEdit(rows, writer)
      return try store.replica.edit(
        found, by: SyncedStore.account(writer)?.id, writer,
        at: store.now().millisecondsSince1970, makeID: store.environment.makeID
      ) {
        try rows.update(writer, assignments)
      }
    }
  }

  /// Sends refused changes of rows again without delay, whether they wait for their next attempt or for the
  /// user, and files of theirs that the server did not accept. Their attempts are counted anew.
  ///
  /// ```swift
  /// try await store.changes.retry(Item.find(id))
  /// ```
  /// - Returns: whether there was a refused change or file.
  /// - Throws: ``ReplicaError`` with the code `forbidden` if only others may write a row. `DatabaseError`, with
  ///   the code `constraint` if a constraint refuses a change. Nothing has changed then.
  @discardableResult
  public func retry<Row: Record>(_ rows: Query<Row>) async throws -> Bool {
    try await store.write { [store] writer in
      let found = try store.synced(rows, writer)
      return try !found.isEmpty && store.replica.retry(found, writer)
    }
  }
}

extension SyncedStore {
  /// Returns the rows of a query, as messages name them; none if their table is not synced, or in a file
  /// without an account.
  fileprivate func synced<Row: Record>(_ rows: Query<Row>, _ reader: Reader) throws -> Set<RowID> {
    guard let table = replica.schema[Row.table.name], try Self.isLinked(reader) else { return [] }
    let ids = try SQL("SELECT \(identifier: table.idColumn) FROM (\(rows.sql))")
      .all(reader, as: String.self)
    return Set(ids.map { RowID(table: table.sentName, id: $0) })
  }
}
