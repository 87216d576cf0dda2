import Offshore
import OffshoreWire

/// A column whose values are derived from those of a column of former releases.
struct DerivedColumn: Sendable {
  /// The column's name in the database.
  var name = ""
  /// The name of the former column in messages.
  let from: String
  private let derive: @Sendable (WireValue, Reader) throws -> WireValue?
  private let back: (@Sendable (WireValue, Reader) throws -> WireValue?)?

  init<Row: Record, Former: ColumnValue, Value>(
    _ column: any KeyPath<Row, Value> & Sendable, from: String,
    _ derive: @escaping @Sendable (Former) throws -> Value,
    _ back: (@Sendable (Value) throws -> Former)?
  ) {
    self.from = from
    self.derive = { (value: WireValue, reader: Reader) -> WireValue? in
      let stored: SQL = "SELECT \(StoredValue(value: value))"
      guard let former = try stored.first(reader, as: Former.self) else { return nil }
      let derived = try derive(former)
      return try Self.stored(SQL.value(derived, as: column), reader)
    }
    guard let back else {
      self.back = nil
      return
    }
    self.back = { (value: WireValue, reader: Reader) -> WireValue? in
      let stored: SQL = "SELECT \(StoredValue(value: value))"
      guard let own = try stored.first(reader, as: column) else { return nil }
      let former = try back(own)
      return try Self.stored("\(former)", reader)
    }
  }

  private static func stored(_ value: SQL, _ reader: Reader) throws -> WireValue? {
    try SQL("SELECT \(value)").first(reader, as: StoredValue.self)?.value
  }

  /// Whether changes of the column change the former one, too.
  var writesFormer: Bool { back != nil }

  /// Returns the value for one of the former column, or `nil` if there is none.
  func value(of former: WireValue, _ reader: Reader) -> WireValue? {
    // NB: A function that throws, or a value that does not fit, is like a value that is missing.
    (try? derive(former, reader)) ?? nil
  }

  /// Returns the value of the former column for one of the column, or `nil` if there is none.
  func former(_ value: WireValue, _ reader: Reader) -> WireValue? {
    (try? back?(value, reader)) ?? nil
  }
}

extension SyncTable {
  /// Returns the value of a derived column for one of the former column, or `nil` if there is none that the
  /// column can store.
  func derive(_ column: SyncedColumn, from former: WireValue, _ reader: Reader) -> WireValue? {
    let derived = derivedColumns.first { $0.name == column.presentName }
    return derived?.value(of: former, reader).flatMap { column.holds($0) ? $0 : nil }
  }
}
