import Foundation
import Offshore
import OffshoreWire

/// Sets changes aside in `_dead`.
struct DeadLetters {
  let writer: Writer
  /// What the device's clock shows.
  let now: Int64

  /// Keeps a change that cannot be sent, or was refused.
  func add(_ row: RowID, in scope: ScopeID?, _ rejection: Rejection, op: Op? = nil) throws {
    try SQL(
      """
      INSERT INTO _dead (at, tbl, id, scope, code, message, op) VALUES (
        \(now), \(row.table), \(row.id), \(scope?.text), \(rejection.code.rawValue),
        \(rejection.message), \(op.map { Data($0.encoded()) }))
      """
    ).run(writer)
  }

  /// Notes that a row with changes of this device cannot be shown.
  func addCollision(of row: RowID, in scope: ScopeID, _ reason: String) throws {
    try removeCollision(of: row)
    try add(row, in: scope, Rejection(.collision, reason, row: row))
  }

  /// Forgets that a row could not be shown.
  func removeCollision(of row: RowID) throws {
    try SQL(
      """
      DELETE FROM _dead WHERE tbl = \(row.table) AND id = \(row.id)
      AND code = \(Rejection.Code.collision.rawValue)
      """
    ).run(writer)
  }
}

extension Rejection.Code {
  /// What others wrote leaves no room for the row on this device.
  static let collision = Rejection.Code(rawValue: "collision")
}
