import Foundation
public import Offshore
public import OffshoreWire

/// A change that was set aside, with the reason, until a person decides.
public struct DeadLetter: Hashable, Sendable, Identifiable {
  /// The number of the letter on this device.
  public let id: Int64
  /// When it was set aside, in milliseconds since 1970 by the device's clock.
  public let date: Int64
  /// The row.
  public let row: RowID
  /// The scope, or `nil` where the row tells none.
  public let scope: ScopeID?
  /// Why it was set aside.
  public let rejection: Rejection
  /// The edit, or `nil` where it could not even be made, or is still under way.
  public let op: Op?
}

extension Replica {
  /// The changes that were set aside, oldest first.
  /// - Throws: `DatabaseError`.
  public func deadLetters(_ reader: Reader) throws -> [DeadLetter] { try letters("1", reader) }

  /// Forgets a change that was set aside.
  /// - Returns: whether there was one.
  /// - Throws: `DatabaseError`.
  @discardableResult
  public func discard(_ letter: DeadLetter.ID, _ writer: Writer) throws -> Bool {
    // NB: What else it has may be unreadable, and can be discarded all the same.
    let row = try SQL("SELECT tbl, id FROM _dead WHERE number = \(letter)")
      .one(writer, as: String.self, String.self)
    guard let (table, id) = row else { return false }
    try forget(letter, of: RowID(table: table, id: id), writer)
    return true
  }

  private func forget(_ letter: DeadLetter.ID, of row: RowID, _ writer: Writer) throws {
    try SQL("DELETE FROM _dead WHERE number = \(letter)").run(writer)
    try derivations.run(for: [row], writer)
  }

  /// Makes a change that was set aside once more, over what the row is now.
  /// - Returns: whether it could be made; then the letter is gone. A row that is not there any more
  ///   is not changed, and a letter without an edit stays.
  /// - Throws: `DatabaseError` where a constraint refuses it; the letter stays then.
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

/// Makes an edit once more, as a person would.
private struct Redoing {
  let visible: VisibleRows
  let table: SyncedTable

  /// - Returns: whether there was a row to make it on.
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

  /// The fields of a row with those of an edit; of a column that is taken apart, key by key.
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
