import Offshore
import OffshoreWire

/// A row of `_dead`: a change that cannot be sent, was refused, or cannot be shown.
struct StoredRefusal {
  /// The number; assigned when the change is stored.
  private(set) var number: Int64?
  /// The time of the refusal by the device's clock, in milliseconds since 1970.
  let date: Int64
  let tableName: String
  let id: String
  /// The scope, or `nil` if the row has no valid scope.
  let scope: ScopeID?
  let code: String
  let message: String
  let op: Op?
}

extension StoredRefusal: Record {
  static let table = Table(
    "_dead", StoredRefusal.init,
    Column("number", \.number).primaryKey(),
    Column("at", \.date),
    Column("tbl", \.tableName),
    Column("id", \.id),
    Column("scope", \.scope, as: .scope),
    Column("code", \.code),
    Column("message", \.message),
    Column("op", \.op, as: .message))

  /// Returns the refused changes of a row.
  static func of(_ row: RowID) -> Query<StoredRefusal> {
    Self.where { $0.tableName == row.table && $0.id == row.id }
  }
}

/// The refused changes of the device, to which others are added within one write.
struct DeadLetters {
  let writer: Writer
  /// The time of the device's clock, in milliseconds since 1970.
  let now: Int64

  /// Stores a change that the server refused or that cannot be sent.
  func add(_ row: RowID, in scope: ScopeID?, _ rejection: Rejection, op: Op? = nil) throws {
    try StoredRefusal(
      date: now, tableName: row.table, id: row.id, scope: scope, code: rejection.code.rawValue,
      message: rejection.message, op: op
    ).insert(writer)
  }

  /// Records that a row with pending changes cannot be shown.
  func addCollision(of row: RowID, in scope: ScopeID, _ reason: String) throws {
    try removeCollision(of: row)
    try add(row, in: scope, Rejection(.collision, reason, row: row))
  }

  /// Deletes the record that a row could not be shown.
  func removeCollision(of row: RowID) throws {
    try StoredRefusal.of(row).where { $0.code == Rejection.Code.collision.rawValue }.delete(writer)
  }
}

extension Rejection.Code {
  /// The row violates a constraint of this device together with rows of the server.
  static let collision = Rejection.Code(rawValue: "collision")
}
