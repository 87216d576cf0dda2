import Offshore
import OffshoreWire

/// The rows of a scope as they were, by table and key.
struct FormerRows: WireCodable {
  private struct Row: WireCodable {
    let row: RowID
    let fields: [String: WireValue]

    init(_ row: RowID, _ fields: [String: WireValue]) {
      self.row = row
      self.fields = fields
    }

    func encode(into writer: inout WireWriter) {
      writer.text(row.table)
      writer.text(row.id)
      writer.count(fields.count)
      for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
        writer.text(field)
        writer.value(value)
      }
    }

    init(from reader: inout WireReader) throws(WireError) {
      row = RowID(table: try reader.text(), id: try reader.text())
      var fields: [String: WireValue] = [:]
      for _ in 0..<(try reader.count()) {
        let field = try reader.text()
        fields[field] = try reader.value()
      }
      self.fields = fields
    }
  }

  private let rows: [Row]

  init(of scope: ScopeID, _ schema: SyncSchema, _ writer: Writer) throws {
    let visible = VisibleRows(schema: schema, writer: writer)
    rows = try schema.present.tables.filter { schema[$0.name]?.scopeKind == scope.kind }
      .flatMap { table -> [Row] in
        guard let column = schema[table.name]?.scopeColumn else { return [] }
        let ids = try SQL(
          """
          SELECT \(identifier: table.idColumn) FROM \(identifier: table.presentName)
          WHERE \(identifier: column) = \(scope.value) ORDER BY 1
          """
        ).all(writer, as: String.self)
        return try ids.compactMap { id in
          let row = RowID(table: table.name, id: id)
          return try visible.values(of: row, in: table).map { Row(row, $0) }
        }
      }
  }

  func encode(into writer: inout WireWriter) {
    writer.count(rows.count)
    for row in rows { writer.value(row) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    var rows: [Row] = []
    for _ in 0..<(try reader.count()) { rows.append(try reader.value()) }
    self.rows = rows
  }

  /// Returns whether the account may insert the root row of a scope again.
  func canRestore(
    _ scope: ScopeID, _ schema: SyncSchema, _ rights: inout WriteRights
  ) throws -> Bool {
    try rows.allSatisfy { row in
      guard let table = schema[row.row.table], table.scopeColumn == table.idColumn,
        row.row.id == scope.value
      else { return true }
      return try rights.allow(row.fields, of: row.row.id, in: table)
    }
  }

  /// Inserts the rows again, as changes of this device. Those that the account may not write are
  /// left out, and those that must refer to one of them.
  func restore(_ schema: SyncSchema, _ rights: inout WriteRights, _ writer: Writer) throws {
    // A row may refer to one that comes later.
    try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
    let visible = VisibleRows(schema: schema, writer: writer)
    let writable = try rows.filter { row in
      try schema[row.row.table].map { try rights.allow(row.fields, of: row.row.id, in: $0) } == true
    }
    var missing = Set(rows.map(\.row)).subtracting(writable.map(\.row))
    for row in missing where try visible.exists(row) { missing.remove(row) }
    for row in Self.restorable(writable, &missing, schema) {
      guard let table = schema.present[row.row.table] else { continue }
      var fields = row.fields.filter { table[$0.key] != nil }
      for column in table.columns where column.refers(to: missing, in: fields) {
        fields[column.name] = .null
      }
      try visible.write(fields, of: row.row, in: table)
    }
  }

  /// Returns the rows without those that must refer to a missing one, which are then missing, too.
  private static func restorable(
    _ rows: [Row], _ missing: inout Set<RowID>, _ schema: SyncSchema
  ) -> [Row] {
    var (rows, count) = (rows, Int.max)
    while rows.count < count {
      count = rows.count
      let dependent = rows.filter { row in
        schema.present[row.row.table]?.columns.contains {
          !$0.isNullable && $0.refers(to: missing, in: row.fields)
        } == true
      }
      missing.formUnion(dependent.map(\.row))
      rows.removeAll { missing.contains($0.row) }
    }
    return rows
  }
}

extension SyncedColumn {
  /// Returns whether the column refers to one of some rows.
  fileprivate func refers(to rows: Set<RowID>, in fields: [String: WireValue]) -> Bool {
    guard let reference, let id = fields[name]?.string else { return false }
    return rows.contains(RowID(table: reference, id: id))
  }
}
