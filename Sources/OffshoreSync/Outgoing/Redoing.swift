import Offshore
import OffshoreWire

/// The repetition of an edit as a new change of the user.
struct Redoing {
  let visible: VisibleRows
  let table: SyncedTable

  /// - Parameter countersOnce: whether counters of an existing row stay as they are.
  /// - Returns: `false` if the row to change does not exist.
  func redo(_ op: Op, countersOnce: Bool = true) throws -> Bool {
    let current = try visible.values(of: op.row, in: table)
    switch op.kind {
    case .put:
      var fields = try visible.addingDerived(to: op.fields, in: table)
      if let current {
        fields = try changed(current, by: op)
        if countersOnce { fields = fields.filter { table.policy(of: $0.key) != .counter } }
      }
      try visible.write(fields, of: op.row, in: table)
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
  private func changed(
    _ current: [String: WireValue], by op: Op
  ) throws -> [String: WireValue] {
    var fields: [String: WireValue] = [:]
    for column in table.columns {
      guard let value = current[column.name] else { continue }
      fields.merge(column.fields(of: value)) { $1 }
    }
    return fields.merging(try visible.addingDerived(to: op.fields, in: table)) { $1 }
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
