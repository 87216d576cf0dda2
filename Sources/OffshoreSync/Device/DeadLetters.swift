import Foundation
import Offshore
import OffshoreWire

/// The refused changes in `_dead`.
struct DeadLetters {
  let writer: Writer
  /// The time of the device's clock, in milliseconds since 1970.
  let now: Int64

  /// Stores a change that the server refused or that cannot be sent.
  func add(_ row: RowID, in scope: ScopeID?, _ rejection: Rejection, op: Op? = nil) throws {
    try SQL(
      """
      INSERT INTO _dead (at, tbl, id, scope, code, message, op) VALUES (
        \(now), \(row.table), \(row.id), \(scope?.text), \(rejection.code.rawValue),
        \(rejection.message), \(op.map { Data($0.encoded()) }))
      """
    ).run(writer)
  }

  /// Records that a row with pending changes cannot be shown.
  func addCollision(of row: RowID, in scope: ScopeID, _ reason: String) throws {
    try removeCollision(of: row)
    try add(row, in: scope, Rejection(.collision, reason, row: row))
  }

  /// Deletes the record that a row could not be shown.
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
  /// The row violates a constraint of this device together with rows of the server.
  static let collision = Rejection.Code(rawValue: "collision")
}
