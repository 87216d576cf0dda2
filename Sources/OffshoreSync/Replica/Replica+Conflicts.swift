import Foundation
public import Offshore
public import OffshoreWire

extension Replica {
  /// The values of a row that were written and did not stay, as they were decided, oldest first.
  /// - Throws: `DatabaseError`.
  public func conflicts(of row: RowID, _ reader: Reader) throws -> [Conflict] {
    try SQL(
      """
      SELECT content FROM _conflict WHERE tbl = \(row.table) AND id = \(row.id)
      ORDER BY scope, number
      """
    ).all(reader, as: Data.self).map { try Conflict(decoding: Array($0)) }
  }

  /// Writes the value again that did not stay, as an edit of this device that has seen the other.
  /// - Returns: whether there is such a row and column to write it to.
  /// - Throws: `DatabaseError` where a constraint refuses the value.
  @discardableResult
  public func revert(_ conflict: Conflict, _ writer: Writer) throws -> Bool {
    let field = FieldName(conflict.field)
    let visible = VisibleRows(schema: schema, writer: writer)
    guard let table = schema.manifest[conflict.row.table], let column = table[field.column],
      column.policy != .counter,
      let values = try visible.values(of: conflict.row, in: table),
      let current = values[column.name]
    else { return false }
    var fields = column.fields(of: current)
    fields[conflict.field] = conflict.losing
    try visible.write(fields, of: conflict.row, in: table)
    try derivations.run(for: [conflict.row], writer)
    return true
  }
}
