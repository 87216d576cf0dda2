import Offshore
import OffshoreWire

/// The values that changes of this release have in columns of former releases, whose devices go on with
/// them.
struct FormerColumns {
  private let schema: SyncSchema
  private let reader: Reader

  /// The manifest, which has the former columns.
  var manifest: Manifest { schema.manifest }

  /// - Returns: `nil` if the schema declares none.
  init?(schema: SyncSchema, reader: Reader) {
    guard schema.tables.contains(where: \.writesFormerColumns) else { return nil }
    self.schema = schema
    self.reader = reader
  }

  /// Returns the fields of former columns for an inserted row.
  /// - Parameter values: the values of the row.
  func fields(
    ofInserted values: [String: WireValue], in table: SyncedTable
  ) -> [String: WireValue] {
    guard let declared = schema[table.name] else { return [:] }
    var result: [String: WireValue] = [:]
    for column in declared.retiredColumns {
      result.merge(fields(try? column.initial?(reader), of: column.name, in: table)) { $1 }
    }
    return result.merging(fields(ofChanged: values, in: table)) { $1 }
  }

  /// Returns the fields of former columns for changed values.
  func fields(
    ofChanged values: [String: WireValue], in table: SyncedTable
  ) -> [String: WireValue] {
    guard let declared = schema[table.name] else { return [:] }
    var result: [String: WireValue] = [:]
    for column in declared.derivedColumns {
      guard let value = values[declared.sentName(of: column.name)] else { continue }
      result.merge(fields(column.former(value, reader), of: column.from, in: table)) { $1 }
    }
    return result
  }

  /// Returns the fields of a value. They are empty if the column cannot store it.
  private func fields(
    _ value: WireValue?, of column: String, in table: SyncedTable
  ) -> [String: WireValue] {
    guard let value, let column = schema.manifest[table.name]?[column], column.holds(value) else {
      return [:]
    }
    return column.fields(of: value)
  }
}

extension SyncTable {
  fileprivate var writesFormerColumns: Bool {
    retiredColumns.contains { $0.initial != nil } || derivedColumns.contains(where: \.writesFormer)
  }
}
