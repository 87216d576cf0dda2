import OffshoreHTTP
import OffshoreWire

/// Rows as JSON.
struct RowText {
  let table: SyncedTable
  let manifest: Manifest

  /// A row, for example `{"etag":"\"…\"","id":"3","scope":"list/7","values":{"title":"Tea"}}`.
  func json(_ row: SyncedRow, in scope: ScopeID) -> [UInt8] {
    let values = table.columns.map { column in
      (column.name, ValueText.json(column.value(of: row.state.fields) ?? .null, of: column))
    }
    return Self.object([
      ("etag", ValueText.json(EntityTag(row.state, manifest).text)),
      ("id", ValueText.json(row.row.id)), ("scope", ValueText.json(scope.text)),
      ("values", Self.object(values)),
    ])
  }

  /// A page, for example `{"next":"list/7/3","rows":[…]}`. The last page has `null` as `next`.
  func json(_ page: RowReading<some ChangeLogReader>.Page) -> [UInt8] {
    let rows = page.rows.map { json($0.row, in: $0.scope) }
    return Self.object([
      ("next", page.next.map { ValueText.json($0.text) } ?? Array("null".utf8)),
      ("rows", Array("[".utf8) + rows.joined(separator: Array(",".utf8)) + Array("]".utf8)),
    ])
  }

  private static func object(_ members: [(name: String, json: [UInt8])]) -> [UInt8] {
    let members = members.map { ValueText.json($0.name) + Array(":".utf8) + $0.json }
    return Array("{".utf8) + members.joined(separator: Array(",".utf8)) + Array("}".utf8)
  }
}
