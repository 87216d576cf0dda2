/// The SQL of the statements that each table has. Parameters are numbered in the order of the
/// columns.
struct TableSQL: Sendable {
  /// `"charters"`
  private let name: String
  /// `"id", "name", …`
  let columnList: String
  /// `SELECT "id", "name" FROM "charters"`
  let select: String
  /// `SELECT … WHERE "id" = ?1`, with the key's columns numbered separately
  let selectByKey: String
  /// `SELECT rowid FROM "charters" WHERE "id" = ?1`, by a name of the row id that is not a column's
  let selectNumberByKey: String
  /// `INSERT INTO "charters" ("id", "name") VALUES (?1, ?2)`
  let insert: String
  /// `INSERT OR FAIL INTO …`
  let insertOrFail: String
  /// `INSERT INTO … ON CONFLICT DO NOTHING`
  let insertIfAbsent: String
  /// `UPDATE "charters" SET "name" = ?2 WHERE "id" = ?1`
  let update: String
  /// `INSERT … ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name"`
  let save: String
  /// `DELETE FROM "charters" WHERE "id" = ?1`, with the key's columns numbered separately
  let delete: String

  init(_ tableName: String, _ columns: [ColumnDefinition]) {
    let table = tableName.quotedIdentifier
    let all = columns.enumerated().map { (name: $1.name.quotedIdentifier, parameter: "?\($0 + 1)") }
    let keys = zip(columns, all).filter(\.0.isPrimaryKey).map(\.1)
    let others = zip(columns, all).filter { !$0.0.isPrimaryKey }.map(\.1)

    columnList = all.map(\.name).joined(separator: ", ")
    select = "SELECT \(columnList) FROM \(table)"
    let byKey =
      " WHERE "
      + keys.enumerated().map { "\($1.name) = ?\($0 + 1)" }.joined(separator: " AND ")
    selectByKey = select + byKey
    delete = "DELETE FROM \(table)" + byKey
    let names = Set(columns.map { $0.name.lowercased() })
    let number = ["rowid", "_rowid_", "oid"].first { !names.contains($0) } ?? "NULL"
    selectNumberByKey = "SELECT \(number) FROM \(table)" + byKey

    let row =
      " INTO \(table) (\(columnList)) VALUES (\(all.map(\.parameter).joined(separator: ", ")))"
    insert = "INSERT" + row
    insertOrFail = "INSERT OR FAIL" + row
    insertIfAbsent = insert + " ON CONFLICT DO NOTHING"
    // A table of key columns only has nothing to change, but the update reports whether the row
    // exists.
    let changed = others.isEmpty ? keys : others
    update =
      "UPDATE \(table) SET "
      + changed.map { "\($0.name) = \($0.parameter)" }.joined(separator: ", ") + " WHERE "
      + keys.map { "\($0.name) = \($0.parameter)" }.joined(separator: " AND ")
    save =
      insert + " ON CONFLICT (\(keys.map(\.name).joined(separator: ", "))) DO "
      + (others.isEmpty
        ? "NOTHING"
        : "UPDATE SET "
          + others.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", "))
    name = table
  }

  /// Returns `INSERT INTO "charters" ("id", "name") VALUES (?, ?), (?, ?)`, for a number of rows.
  func insert(_ columnCount: Int, rows count: Int) -> String {
    let row = "(" + repeatElement("?", count: columnCount).joined(separator: ", ") + ")"
    return "INSERT INTO \(name) (\(columnList)) VALUES "
      + repeatElement(row, count: count).joined(separator: ", ")
  }

  /// Returns `UPDATE "charters" SET "name" = ?1 WHERE "id" = ?2`.
  func update(_ changed: [ColumnDefinition], _ keys: [ColumnDefinition]) -> String {
    let terms = (changed + keys).enumerated().map { "\($1.name.quotedIdentifier) = ?\($0 + 1)" }
    return "UPDATE \(name) SET " + terms.prefix(changed.count).joined(separator: ", ") + " WHERE "
      + terms.dropFirst(changed.count).joined(separator: " AND ")
  }
}
