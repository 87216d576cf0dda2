import Offshore
import OffshoreWire

/// The conversion between records and the values by which devices exchange their rows.
///
/// A record is inserted into a table in memory, in which its values have the form that a device
/// with a copy of the data would send. A received row is shown in the same table as on a device,
/// and read as a record. So both ways of access have the same values.
struct RecordForm<Row: Record> {
  typealias Failure = ServerClient.Failure

  /// A record in the form of messages.
  struct SentRow {
    let id: String
    let scope: ScopeID
    /// The values of the columns other than the key, by their names in messages.
    var values: [String: WireValue]
  }

  /// The differences between two records with the same key.
  struct Changes {
    /// The new values, by the names of their columns in messages.
    var values: [String: WireValue] = [:]
    /// The amounts that are added to counters.
    var increments: [String: WireValue] = [:]
  }

  /// The table in the manifest, with the columns of former releases.
  private let declaration: SyncedTable
  /// The table without the columns of former releases.
  private let table: SyncedTable
  private let schema: SyncSchema
  private let connection: Connection

  /// Creates the conversion for the rows of a table.
  /// - Throws: ``ServerClient/Failure`` with the code `unknownTable` if the schema lacks the table.
  init(_ schema: SyncSchema) throws(Failure) {
    let name = Row.table.name
    guard let own = schema[name], own.name == name, let table = schema.present[own.sentName],
      let declaration = schema.manifest[own.sentName]
    else { throw .unsyncedTable(name) }
    self.schema = schema
    self.table = table
    self.declaration = declaration
    do {
      connection = try Connection.inMemory()
      try connection.write { try Self.creation(of: own).run($0) }
    } catch {
      throw Failure(converting: error, .invalidValue)
    }
  }

  /// Returns the statement that creates the table with the types and defaults of its columns.
  /// References and other constraints are those of the server.
  private static func creation(of table: SyncTable) -> SQL {
    let columns = table.definitions.map { column in
      let initial = column.defaultSQL.map { " DEFAULT (\($0))" } ?? ""
      return "\(VisibleRows.quoted(column.name)) \(column.sqlType)\(initial)"
    }
    let list = columns.joined(separator: ", ")
    let end = Row.table.isStrict ? " STRICT" : ""
    return SQL(raw: "CREATE TABLE \(VisibleRows.quoted(table.name)) (\(list))\(end)")
  }

  /// Runs a closure over the empty table.
  /// - Parameter code: the code of the failure if the database refuses or cannot read a value.
  private func write<Result>(
    _ code: Failure.Code, _ body: (Writer) throws -> Result
  ) throws(Failure) -> Result {
    do {
      return try connection.write { writer in
        try clear(writer)
        return try body(writer)
      }
    } catch {
      throw Failure(converting: error, code)
    }
  }

  private func clear(_ writer: Writer) throws {
    try SQL("DELETE FROM \(identifier: table.presentName)").run(writer)
  }

  // MARK: - Sending

  /// Converts a record to the values of an inserted row.
  /// - Throws: ``ServerClient/Failure`` with the code `invalidValue` if a value cannot be stored or
  ///   sent.
  func sent(_ row: Row) throws(Failure) -> SentRow {
    try write(.invalidValue) { writer in
      var sent = try stored(row, writer)
      let former = formerColumns(writer)?.fields(ofInserted: sent.values, in: table) ?? [:]
      sent.values.merge(formerValues(former)) { own, _ in own }
      return sent
    }
  }

  /// Converts the differences between two records to changes of the row.
  /// - Throws: ``ServerClient/Failure`` with the code `invalidValue` if a value cannot be stored or
  ///   sent, or if the key or the scope differ.
  func changes(from old: Row, to new: Row) throws(Failure) -> (row: SentRow, changes: Changes) {
    try write(.invalidValue) { writer in
      let before = try stored(old, writer)
      try clear(writer)
      let after = try stored(new, writer)
      guard before.id == after.id, before.scope == after.scope else {
        throw Failure(
          .invalidValue,
          "A change cannot move a row of “\(Row.table.name)” to another key or scope. Insert the "
            + "new row, and delete the old one.")
      }
      var changes = Changes()
      for column in table.columns {
        guard let old = before.values[column.name], let new = after.values[column.name],
          !column.changes(from: old, to: new).isEmpty
        else { continue }
        if column.policy == .counter, let increment = new.increment(from: old) {
          changes.increments[column.name] = increment
        } else {
          changes.values[column.name] = new
        }
      }
      let former = formerColumns(writer)?.fields(ofChanged: changes.values, in: table) ?? [:]
      changes.values.merge(formerValues(former)) { own, _ in own }
      return (after, changes)
    }
  }

  /// Inserts a record into the table, and reads it as a device would send it.
  private func stored(_ row: Row, _ writer: Writer) throws -> SentRow {
    try row.insert(writer)
    let key = try SQL(
      "SELECT \(identifier: table.idColumn) FROM \(identifier: table.presentName)"
    ).first(writer, as: StoredValue.self)
    guard let id = key?.value.string,
      let values = try VisibleRows(schema: schema, writer: writer).values(
        of: RowID(table: table.name, id: id), in: table)
    else { throw Failure(.invalidValue, "The key of “\(Row.table.name)” is not a text. Set it.") }
    let value = table.scopeColumn == table.idColumn ? id : values[table.scopeColumn]?.string
    guard let value, let scope = try? ScopeID(kind: table.scopeKind, value: value) else {
      throw Failure(
        .invalidValue,
        "The row of “\(Row.table.name)” does not name its scope. Set the scope column to 1 to 200 "
          + "visible ASCII characters.")
    }
    return SentRow(id: id, scope: scope, values: values)
  }

  private func formerColumns(_ writer: Writer) -> FormerColumns? {
    FormerColumns(schema: schema, reader: writer)
  }

  /// Returns the values of columns of former releases, composed of their fields.
  private func formerValues(_ fields: [String: WireValue]) -> [String: WireValue] {
    declaration.columns.filter(\.isRetired).reduce(into: [:]) { values, column in
      values[column.name] = column.value(of: fields)
    }
  }

  /// Returns values as a JSON object, by the names of their columns in messages.
  func json(_ values: [String: WireValue]) -> [UInt8] {
    var json: [UInt8] = []
    for column in declaration.columns {
      guard let value = values[column.name] else { continue }
      json.append(UInt8(ascii: json.isEmpty ? "{" : ","))
      json += ValueText.json(column.name)
      json.append(UInt8(ascii: ":"))
      json += ValueText.json(value, of: column)
    }
    return json.isEmpty ? Array("{}".utf8) : json + Array("}".utf8)
  }

  // MARK: - Receiving

  /// Converts a received row to a record.
  /// - Throws: ``ServerClient/Failure`` with the code `malformed` if the row lacks a value that has
  ///   no default, or has one that cannot be read.
  func received(_ row: RowAnswer) throws(Failure) -> RemoteRow<Row> {
    guard let entityTag = EntityTag(row.entityTag) else {
      throw Failure(.malformed, "The server's answer cannot be read at etag.")
    }
    let fields = try fields(of: row)
    let found = try write(.malformed) { writer in
      let visible = VisibleRows(schema: schema, writer: writer)
      let shown = try visible.addingDerived(to: fields, in: table)
      try checkComplete(shown)
      try visible.show(shown, of: RowID(table: table.name, id: row.id), in: table)
      return try Row.all.first(writer)
    }
    guard let value = found else {
      throw Failure(.malformed, "The server's answer cannot be read.")
    }
    return RemoteRow(value: value, scope: row.scope, entityTag: entityTag)
  }

  /// Returns the fields of a row that the table can store.
  private func fields(of row: RowAnswer) throws(Failure) -> [String: WireValue] {
    var fields: [String: WireValue] = [:]
    for column in declaration.columns {
      // A former server does not know the names in messages of columns that it has renamed itself.
      guard let json = row.values[column.name] ?? row.values[column.presentName] else { continue }
      let value: WireValue
      do throws(Rejection) {
        value = try ValueText.value(json, of: column)
      } catch {
        throw Failure(
          .malformed,
          "The server's value of “\(place(of: column))” cannot be read. \(error.message)",
          field: column.name)
      }
      if column.holds(value) { fields.merge(column.fields(of: value)) { $1 } }
    }
    return fields
  }

  private func checkComplete(_ fields: [String: WireValue]) throws(Failure) {
    for column in table.columns where column.value(of: fields) == nil {
      guard column.isNullable || column.hasDefault else {
        throw Failure(
          .malformed,
          "The server's row has no value for “\(place(of: column))” that the column can store "
            + "(\(column.type.rawValue)). Update the app, load its manifest on the server, or give "
            + "the column a default.", field: column.name)
      }
    }
  }

  /// Returns the table and the column, by their names in the app.
  private func place(of column: SyncedColumn) -> String {
    "\(table.presentName).\(column.presentName)"
  }
}

extension ServerClient.Failure {
  /// The failure of a request about a table that the schema lacks.
  static func unsyncedTable(_ name: String) -> Self {
    Self(.unknownTable, "The schema does not sync “\(name)”. Declare it there as a SyncTable.")
  }

  /// Creates the failure of a record that cannot be converted.
  fileprivate init(converting error: any Error, _ code: Code) {
    switch error {
    case let error as ServerClient.Failure: self = error
    case let error as DatabaseError: self.init(code, error.message)
    default: self.init(code, "The row cannot be converted.")
    }
  }
}
