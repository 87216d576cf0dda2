import Offshore
import OffshoreWire

/// The app's rows, of which only the synced columns are read and written.
struct VisibleRows {
  let schema: SyncSchema
  let writer: Writer
  /// The SQL of the statements that run for each row, by table.
  private let texts: [String: Texts]

  fileprivate struct Texts {
    /// The query of a row's synced columns, up to the comparison with the row's id.
    let select: String
    /// The insertion of a row with a value in each synced column.
    let insert: String
  }

  init(schema: SyncSchema, writer: Writer) {
    self.schema = schema
    self.writer = writer
    texts = Dictionary(
      schema.present.tables.map { ($0.name, Texts($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the values of a row's synced columns, or `nil` if the row does not exist.
  func values(of row: RowID, in table: SyncedTable) throws -> [String: WireValue]? {
    let select = SQL(raw: texts[table.name]?.select ?? Texts(table).select)
    return try writer.connection.fetch("\(select) = \(row.id)", limit: 1) { reader in
      _ = try reader.value(Int.self)
      var values: [String: WireValue] = [:]
      for column in table.columns { values[column.name] = try reader.value(StoredValue.self).value }
      return values
    }.first
  }

  /// Returns the fields of a row's synced columns, empty if the row does not exist. In a compound column,
  /// each key is a field.
  func fields(of row: RowID, in table: SyncedTable) throws -> [String: WireValue] {
    let values = try self.values(of: row, in: table) ?? [:]
    return table.columns.reduce(into: [:]) { fields, column in
      if let value = values[column.name] { fields.merge(column.fields(of: value)) { $1 } }
    }
  }

  /// Returns whether a row exists.
  func exists(_ row: RowID) throws -> Bool {
    guard let table = schema[row.table] else { return false }
    return try SQL(
      "SELECT EXISTS (SELECT 1 FROM \(identifier: table.name) WHERE \(identifier: table.idColumn) = \(row.id))"
    ).first(writer, as: Bool.self) ?? false
  }

  /// Returns the fields of a row's state that its table shows: those that it can store, with the values of
  /// derived columns.
  func fields(of state: RowState, in table: SyncedTable) throws -> [String: WireValue] {
    var fields = state.fields
    for column in table.columns {
      guard let value = fields[column.name] else { continue }
      if !column.holds(value) || column.isSuperseded(in: state) { fields[column.name] = nil }
    }
    return try addingDerived(to: fields, in: table)
  }

  /// Returns fields with the values of the derived columns that they lack.
  func addingDerived(
    to fields: [String: WireValue], in table: SyncedTable
  ) throws -> [String: WireValue] {
    var result = fields
    for column in table.columns where fields[column.name] == nil {
      guard let former = column.derivedFrom.flatMap({ fields[$0] }),
        let value = schema[table.name]?.derive(column, from: former, writer)
      else { continue }
      result[column.name] = value
    }
    return result
  }

  /// Sets a row's columns to fields, or inserts the row, and resets columns without a field to
  /// their defaults. A column that has no default and may not be NULL stays as it is.
  ///
  /// Columns that already have the value are not written.
  /// - Returns: whether the row was inserted or changed.
  /// - Throws: `DatabaseError` if a constraint refuses the row.
  @discardableResult
  func show(_ fields: [String: WireValue], of row: RowID, in table: SyncedTable) throws -> Bool {
    let isWritten = try write(fields, of: row, in: table)
    let isReset = try reset(
      table.columns.filter { $0.value(of: fields) == nil }, of: row, in: table)
    return isWritten || isReset
  }

  /// Writes fields of a row, or inserts the row with them. Other columns stay as they are.
  /// - Returns: whether the row was inserted or changed.
  /// - Throws: `DatabaseError` if a constraint refuses the row, which then stays unchanged.
  @discardableResult
  func write(_ fields: [String: WireValue], of row: RowID, in table: SyncedTable) throws -> Bool {
    guard let current = try values(of: row, in: table) else {
      try insert(fields, row, table)
      return true
    }
    var changed: [(name: String, value: WireValue)] = []
    for column in table.columns {
      guard let value = column.value(of: fields), let shown = current[column.name],
        shown != value, !Self.isSame(shown, value, in: column)
      else { continue }
      changed.append((column.presentName, value))
    }
    guard !changed.isEmpty else { return false }
    let assignments = changed.map { "\(Self.quoted($0.name)) = ?" }.joined(separator: ", ")
    try writer.run(
      """
      UPDATE \(Self.quoted(table.presentName)) SET \(assignments) WHERE \(Self.quoted(table.idColumn)) = ?
      """
    ) { binder in
      for (index, change) in changed.enumerated() {
        StoredValue.Codec.bind(StoredValue(value: change.value), &binder, Int32(index + 1))
      }
      StringCodec.bind(row.id, &binder, Int32(changed.count + 1))
    }
    return true
  }

  /// Resets columns that the row's author did not know to their defaults.
  /// - Returns: whether the row was changed.
  private func reset(
    _ columns: [SyncedColumn], of row: RowID, in table: SyncedTable
  ) throws -> Bool {
    var isChanged = false
    for column in columns {
      let definition = schema[table.name]?.definitions.first { $0.name == column.presentName }
      guard column.isNullable || definition?.defaultSQL != nil else { continue }
      let initial = SQL(raw: definition?.defaultSQL ?? "NULL")
      let count = try SQL(
        """
        UPDATE \(identifier: table.presentName) SET \(identifier: column.presentName) = \(initial)
        WHERE \(identifier: table.idColumn) = \(row.id)
          AND \(identifier: column.presentName) IS NOT \(initial)
        """
      ).run(writer)
      if count > 0 { isChanged = true }
    }
    return isChanged
  }

  /// Deletes a row, and the rows that the app's foreign keys delete with it.
  /// - Throws: `DatabaseError` if another row still refers to it.
  func remove(_ row: RowID, in table: SyncedTable) throws {
    try SQL(
      "DELETE FROM \(identifier: table.presentName) WHERE \(identifier: table.idColumn) = \(row.id)"
    ).run(writer)
  }

  private func insert(
    _ fields: [String: WireValue], _ row: RowID, _ table: SyncedTable
  ) throws {
    let values = table.columns.compactMap { column in
      column.value(of: fields).map { (name: column.presentName, value: $0) }
    }
    let whole = values.count == table.columns.count ? texts[table.name]?.insert : nil
    try writer.run(whole ?? Texts.insertion(into: table, of: values.map(\.name))) { binder in
      StringCodec.bind(row.id, &binder, 1)
      for (index, value) in values.enumerated() {
        StoredValue.Codec.bind(StoredValue(value: value.value), &binder, Int32(index + 2))
      }
    }
  }

  /// Returns whether two texts of a compound column have the same content.
  private static func isSame(
    _ left: WireValue, _ right: WireValue, in column: SyncedColumn
  ) -> Bool {
    column.policy.isCompound && column.fields(of: left) == column.fields(of: right)
  }

  static func quoted(_ name: String) -> String { SQL("\(identifier: name)").text }

  // MARK: - References

  /// Returns the rows that refer to a row.
  func referrers(to row: RowID) throws -> [RowID] {
    try schema.present.tables.flatMap { table in
      try table.columns.filter { $0.reference == row.table }.flatMap { column in
        try SQL(
          """
          SELECT \(identifier: table.idColumn) FROM \(identifier: table.presentName)
          WHERE \(identifier: column.presentName) = \(row.id)
          """
        ).all(writer, as: String.self).map { RowID(table: table.name, id: $0) }
      }
    }
  }

  /// Returns the rows that refer to a row that does not exist.
  func dangling() throws -> [RowID] {
    try schema.present.tables.flatMap { table in
      try table.columns.flatMap { column in
        guard let target = column.reference.flatMap({ schema.present[$0] }) else {
          return [RowID]()
        }
        return try SQL(
          """
          SELECT child.\(identifier: table.idColumn) FROM \(identifier: table.presentName) AS child
          WHERE child.\(identifier: column.presentName) IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM \(identifier: target.presentName) AS parent
            WHERE parent.\(identifier: target.idColumn) = child.\(identifier: column.presentName))
          """
        ).all(writer, as: String.self).map { RowID(table: table.name, id: $0) }
      }
    }
  }

  /// Returns the other rows that have the same values in a unique key.
  func rivals(
    of fields: [String: WireValue], _ row: RowID, in table: SyncedTable
  ) throws -> [RowID] {
    try table.uniqueKeys.flatMap { key in
      let conditions = key.map { name in
        let value = StoredValue(value: table[name].flatMap { $0.value(of: fields) } ?? .null)
        return "\(identifier: table[name]?.presentName ?? name) = \(value)" as SQL
      }
      let condition = conditions.reduce("1" as SQL) { "\($0) AND \($1)" }
      return try SQL(
        """
        SELECT \(identifier: table.idColumn) FROM \(identifier: table.presentName)
        WHERE \(condition) AND \(identifier: table.idColumn) <> \(row.id)
        """
      ).all(writer, as: String.self).map { RowID(table: table.name, id: $0) }
    }
  }
}

extension VisibleRows.Texts {
  init(_ table: SyncedTable) {
    let list = table.columns.map { ", \(VisibleRows.quoted($0.presentName))" }.joined()
    select = """
      SELECT 1\(list) FROM \(VisibleRows.quoted(table.presentName))
      WHERE \(VisibleRows.quoted(table.idColumn))
      """
    insert = Self.insertion(into: table, of: table.columns.map(\.presentName))
  }

  static func insertion(into table: SyncedTable, of columns: [String]) -> String {
    let names = ([table.idColumn] + columns).map(VisibleRows.quoted).joined(separator: ", ")
    let marks = String(repeating: ", ?", count: columns.count)
    return "INSERT INTO \(VisibleRows.quoted(table.presentName)) (\(names)) VALUES (?\(marks))"
  }
}
