import Foundation
public import Offshore
public import OffshoreWire

/// A refused change, stored with the reason until the user retries or discards it.
public struct DeadLetter: Hashable, Sendable, Identifiable {
  /// The number of the refused change on this device.
  public let id: Int64
  /// The time of the refusal, in milliseconds since 1970 by the device's clock.
  public let date: Int64
  /// The row.
  public let row: RowID
  /// The scope, or `nil` if the row has no valid scope.
  public let scope: ScopeID?
  /// The reason for the refusal.
  public let rejection: Rejection
  /// The edit, or `nil` if it could not be created or is still pending.
  public let op: Op?
}

extension Replica {
  /// Returns the refused changes, the oldest first.
  /// - Throws: `DatabaseError`.
  public func deadLetters(_ reader: Reader) throws -> [DeadLetter] { try letters("1", reader) }

  /// Discards a refused change.
  /// - Returns: whether the refused change existed.
  /// - Throws: `DatabaseError`.
  @discardableResult
  public func discard(_ letter: DeadLetter.ID, _ writer: Writer) throws -> Bool {
    // NB: Only the row is read. A refused change whose other content is damaged can still be
    // discarded.
    let row = try SQL("SELECT tbl, id FROM _dead WHERE number = \(letter)")
      .first(writer, as: String.self, String.self)
    guard let (table, id) = row else { return false }
    try forget(letter, of: RowID(table: table, id: id), writer)
    return true
  }

  private func forget(_ letter: DeadLetter.ID, of row: RowID, _ writer: Writer) throws {
    try SQL("DELETE FROM _dead WHERE number = \(letter)").run(writer)
    try derivations.run(for: [row], writer)
  }

  /// Makes a refused change again, over the current values of its row.
  /// - Returns: whether the change was made; the refused change is then deleted. It stays if it has
  ///   no edit, or if the row to update does not exist any more.
  /// - Throws: `DatabaseError` if a constraint refuses the change. The refused change stays then.
  @discardableResult
  public func retry(_ letter: DeadLetter.ID, _ writer: Writer) throws -> Bool {
    guard let op = try letters("number = \(letter)", writer).first?.op,
      let table = schema.manifest[op.row.table]
    else { return false }
    let visible = VisibleRows(schema: schema, writer: writer)
    let isDone = try writer.savepoint { _ in try Redoing(visible: visible, table: table).redo(op) }
    if isDone { try forget(letter, of: op.row, writer) }
    return isDone
  }

  private func letters(_ condition: SQL, _ reader: Reader) throws -> [DeadLetter] {
    try SQL(
      """
      SELECT number, at, tbl, id, scope, code, message, op FROM _dead
      WHERE \(condition) ORDER BY number
      """
    ).all(
      reader, as: Int64.self, Int64.self, String.self, String.self, String?.self, String.self,
      String.self, Data?.self
    ).map { number, at, table, id, scope, code, message, op in
      let row = RowID(table: table, id: id)
      return DeadLetter(
        id: number, date: at, row: row, scope: try scope.map { try ScopeID($0) },
        rejection: Rejection(.init(rawValue: code), message, row: row),
        op: try op.map { try Op(decoding: Array($0)) })
    }
  }
}

/// The repetition of an edit as a new change of the user.
private struct Redoing {
  let visible: VisibleRows
  let table: SyncedTable

  /// - Returns: `false` if the row to change does not exist.
  func redo(_ op: Op) throws -> Bool {
    let current = try visible.values(of: op.row, in: table)
    switch op.kind {
    case .put:
      try visible.write(op.fields, of: op.row, in: table)
      return true
    case .delete:
      try visible.remove(op.row, in: table)
      return true
    case .patch, .move:
      guard let current else { return false }
      try visible.write(changed(current, by: op), of: op.row, in: table)
    case .increment:
      guard let current else { return false }
      try visible.write(increased(current, by: op), of: op.row, in: table)
    }
    return true
  }

  /// Returns the fields of a row with those of an edit in their place. In a compound column, each
  /// key is a field.
  private func changed(_ current: [String: WireValue], by op: Op) -> [String: WireValue] {
    var fields: [String: WireValue] = [:]
    for column in table.columns {
      guard let value = current[column.name] else { continue }
      fields.merge(column.fields(of: value)) { $1 }
    }
    return fields.merging(op.fields) { $1 }
  }

  private func increased(_ current: [String: WireValue], by op: Op) -> [String: WireValue] {
    var fields: [String: WireValue] = [:]
    for (field, value) in op.fields {
      guard case .integer(let more) = value else { continue }
      var number: Int64 = 0
      if case .integer(let now)? = current[field] { number = now }
      fields[field] = .integer(number &+ more)
    }
    return fields
  }
}
