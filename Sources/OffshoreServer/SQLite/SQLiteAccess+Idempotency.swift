import Foundation
public import Offshore
public import OffshoreWire

extension SQLiteAccess: IdempotencyReader {
  public func idempotencyRecord(_ key: ContentHash) throws -> IdempotencyRecord? {
    let found = try SQL(
      "SELECT request, scope, tbl, id, expires FROM idempotency WHERE key = \(key.data)"
    ).first(access, as: Data.self, String.self, String.self, String.self, Int64.self)
    return try found.map { request, scope, table, id, expires in
      IdempotencyRecord(
        key: key, request: try ContentHash(bytes: Array(request)), scope: try ScopeID(scope),
        row: RowID(table: table, id: id), expires: expires)
    }
  }
}

extension SQLiteAccess: IdempotencyWriter where Access == Writer {
  public func setIdempotencyRecord(_ record: IdempotencyRecord) throws {
    try SQL(
      """
      INSERT OR REPLACE INTO idempotency(key, request, scope, tbl, id, expires)
      VALUES (\(record.key.data), \(record.request.data), \(record.scope.text),
        \(record.row.table), \(record.row.id), \(record.expires))
      """
    ).run(access)
  }

  public func removeIdempotencyRecords(at now: Int64) throws {
    try SQL("DELETE FROM idempotency WHERE expires <= \(now)").run(access)
  }
}
