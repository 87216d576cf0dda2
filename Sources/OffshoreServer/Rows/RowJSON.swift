import OffshoreHTTP
import OffshoreWire

/// The JSON of rows and pages.
struct RowJSON {
  /// The form of a row.
  enum Form: String {
    /// All columns, by their names in the present release.
    case release
    /// The columns as devices exchange them, for clients of any release: by their names in
    /// messages, which no release changes, and without those that the row's author did not know or
    /// whose value is outdated by that of a former release.
    case message
  }

  let table: SyncedTable
  let manifest: Manifest
  var form = Form.release

  /// Encodes a row, for example
  /// `{"etag":"\"…\"","id":"3","scope":"list/7","values":{"title":"Tea"}}`.
  func row(_ row: SyncedRow, in scope: ScopeID) -> [UInt8] {
    var text: [UInt8] = []
    append(row, in: scope, to: &text)
    return text
  }

  /// Encodes a page, for example `{"next":"list/7/3","rows":[…]}`. The last page has `null` as
  /// `next`.
  func page(_ page: RowReading.Page) -> [UInt8] {
    var text = Array(#"{"next":"#.utf8)
    text += page.next.map { ValueText.json($0.text) } ?? Array("null".utf8)
    text += #","rows":["#.utf8
    for (index, each) in page.rows.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      append(each.row, in: each.scope, to: &text)
    }
    text += "]}".utf8
    return text
  }

  /// Appends a row in place, so that a page is encoded without intermediate copies.
  private func append(_ row: SyncedRow, in scope: ScopeID, to text: inout [UInt8]) {
    text += #"{"etag":"#.utf8
    text += ValueText.json(EntityTag(row.state, manifest).text)
    text += #","id":"#.utf8
    text += ValueText.json(row.row.id)
    text += #","scope":"#.utf8
    text += ValueText.json(scope.text)
    text += #","values":{"#.utf8
    var isFirst = true
    for column in table.columns {
      guard let value = value(of: column, in: row.state) else { continue }
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      text += ValueText.json(form == .message ? column.name : column.presentName)
      text.append(UInt8(ascii: ":"))
      text += ValueText.json(value, of: column)
    }
    text += "}}".utf8
  }

  private func value(of column: SyncedColumn, in state: RowState) -> WireValue? {
    let value = column.value(of: state.fields)
    guard form == .message else { return value ?? .null }
    return column.isSuperseded(in: state) ? nil : value
  }
}
