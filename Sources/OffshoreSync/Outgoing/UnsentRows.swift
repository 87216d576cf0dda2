import Foundation
import Offshore
import OffshoreWire

/// Rows that the server does not have: they were captured, sealed and never part of a request, or refused.
extension Replica {
  /// Undoes all pending and refused changes of rows of which the server has none. An inserted row is removed,
  /// together with own rows that refer to it and that the server does not have either.
  /// - Returns: `false` if the server may have one of the changes, or if other rows refer to an inserted one.
  ///   Nothing has changed then.
  func withdraw(
    _ rows: Set<RowID>, _ writer: Writer, at now: Int64, makeID: () -> UUID
  ) throws -> Bool {
    guard let all = try withParts(rows, writer) else { return false }
    // Changes that are not sealed are undone bit for bit, and others are not sealed.
    guard try all.contains(where: { try isSealed($0, writer) }) else {
      return try outbox.cancel(all.sorted(), writer)
    }
    return try takeBack(all, isDeletion: false, writer, at: now, makeID: makeID)
  }

  /// Adds the rows that refer to rows which the server does not have.
  /// - Returns: `nil` if the server has one of them.
  private func withParts(_ rows: Set<RowID>, _ writer: Writer) throws -> Set<RowID>? {
    let visible = VisibleRows(schema: schema, writer: writer)
    var all = rows
    var rest = try rows.filter { try isAbsent($0, writer) }
    while let row = rest.popFirst() {
      for part in try visible.referrers(to: row) where all.insert(part).inserted {
        guard try isAbsent(part, writer) else { return nil }
        rest.insert(part)
      }
    }
    return all
  }

  /// Returns whether the server does not have a row, as far as this device knows.
  private func isAbsent(_ row: RowID, _ reader: Reader) throws -> Bool {
    try SQL(
      """
      SELECT NOT EXISTS (
        SELECT 1 FROM _row WHERE tbl = \(row.table) AND id = \(row.id) AND hash <> 0)
      """
    ).first(reader, as: Bool.self) == true
  }

  /// Returns whether a row shows a sealed or refused change.
  private func isSealed(_ row: RowID, _ reader: Reader) throws -> Bool {
    try SQL(
      """
      SELECT EXISTS (
        SELECT 1 FROM _shadow WHERE tbl = \(row.table) AND id = \(row.id) AND reason IS NULL)
      """
    ).first(reader, as: Bool.self) == true
  }

  // MARK: - Editing

  /// Changes rows that the server does not have, and seals them, so that only their new values are ever sent.
  /// Refused rows are sent without delay, and count as never refused.
  /// - Parameters:
  ///   - account: the account of this device.
  ///   - change: changes the rows.
  /// - Throws: ``ReplicaError``: `alreadySent` if the server has one of the rows or may have it; `dependency`
  ///   if a later change builds on one; `invalidValue` if the new values cannot be sent. Errors of the closure.
  func edit<Result>(
    _ rows: Set<RowID>, by account: UUID?, _ writer: Writer, at now: Int64, makeID: () -> UUID,
    _ change: () throws -> Result
  ) throws -> Result {
    // NB: Before the change, so that the check of the write sees only this.
    try sealAll(writer, at: now, makeID: makeID)
    var unsent = UnsentBatches(writer)
    for sealed in try batches(of: rows, writer) where try !unsent.contains(sealed) {
      throw Self.alreadySent
    }
    for row in rows {
      guard try isAbsent(row, writer) else { throw Self.alreadySent }
      // It is made again, also if the values stay the same.
      if try isSealed(row, writer) { _ = try outbox.reinsert(row, writer) }
    }
    let result = try change()
    if try Outbox.endTransaction(writer, { now }) {
      try WriteCheck(schema, account: account?.uuidString, writer)?.run(writer)
    }
    let last = try StoredRefusal.all.max(writer) { $0.number } ?? 0
    try sealAll(writer, at: now, makeID: makeID)
    try check(rows, refusedAfter: last, writer)
    try derivations.run(for: rows, writer)
    return result
  }

  /// Checks that each row has a single insertion to be sent, with all its values.
  private func check(_ rows: Set<RowID>, refusedAfter last: Int64, _ reader: Reader) throws {
    let ops = Dictionary(
      grouping: try batches(of: rows, reader).flatMap(\.batch.ops), by: \.row)
    for row in rows {
      let refusals = try StoredRefusal.of(row).select { $0.number }.all(reader)
      guard !refusals.contains(where: { $0 ?? 0 > last }) else {
        throw ReplicaError(
          .invalidValue, "The new values of the row cannot be sent. Enter other ones.")
      }
      let kinds = (ops[row] ?? []).map(\.kind).filter { $0 != .delete }
      guard kinds == [.put] else {
        throw ReplicaError(
          .dependency, "A later change builds on the row. Cancel the later one first.")
      }
    }
  }

  /// Returns the batches with changes of rows, in their scopes.
  private func batches(of rows: Set<RowID>, _ reader: Reader) throws -> [SealedBatch] {
    var scopes: Set<ScopeID> = []
    for row in rows {
      scopes.formUnion(try VersionRow.of(row).select { $0.scope }.all(reader))
    }
    return try scopes.sorted().flatMap { try SealedBatch.inOrder(of: $0).all(reader) }
      .filter { $0.batch.ops.contains { rows.contains($0.row) } }
  }

  private static let alreadySent = ReplicaError(
    .alreadySent, "The server has the row, or may have it. Update the row as any other.")

  // MARK: - Retrying

  /// Sends refused changes and files of rows again without delay. Their attempts are counted anew.
  /// - Returns: whether there was one.
  /// - Throws: `DatabaseError`, with the code `constraint` if a constraint refuses a change.
  func retry(_ rows: Set<RowID>, _ writer: Writer) throws -> Bool {
    var isDone = try retryFiles(of: rows, writer)
    for var sealed in try SealedBatch.postponed(writer)
    where sealed.batch.ops.contains(where: { rows.contains($0.row) }) {
      sealed.attempts -= sealed.refusals
      (sealed.rejection, sealed.due) = (nil, 0)
      try sealed.save(writer)
      isDone = true
    }
    for row in rows.sorted() {
      let numbers = try StoredRefusal.of(row).order { $0.number }.select { $0.number }.all(writer)
      for number in numbers.compactMap(\.self) where try retry(number, writer) { isDone = true }
    }
    if isDone { try derivations.run(for: rows, writer) }
    return isDone
  }
}
