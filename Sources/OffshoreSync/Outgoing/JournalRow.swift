import Offshore
import OffshoreWire

/// The columns of `_outbox`, the journal, that do not depend on the app's tables. The columns for
/// old values follow; see ``CaptureTriggers``.
struct JournalRow {
  /// The position in the order of all captured changes.
  let number: Int64
  /// The number of the transaction.
  let transaction: Int64
  /// The number of the table in the ``CaptureLayout``.
  let tableNumber: Int64
  /// The id of the changed row.
  let id: StoredValue
  let kind: CaptureTriggers.Kind
  /// A bit for each changed column, by its place.
  let mask: Int64
}

extension JournalRow: Record {
  static let table = Table(
    "_outbox", JournalRow.init,
    Column("seq", \.number).primaryKey(),
    Column("batch", \.transaction, as: .untyped),
    Column("tbl", \.tableNumber, as: .untyped),
    Column("id", \.id),
    Column("kind", \.kind, as: .untyped),
    Column("mask", \.mask, as: .untyped)
  ).ofLibrary()

  /// Returns the name of the column with the old values of a place in the ``CaptureLayout``.
  static func column(of place: Int) -> String { "o\(place)" }

  /// Returns the changes of a table.
  static func of(table number: Int) -> Query<JournalRow> {
    Self.where { $0.tableNumber == Int64(number) }
  }

  /// Returns the changes of a row.
  static func of(_ id: WireValue, table number: Int) -> Query<JournalRow> {
    of(table: number).where { $0.id == StoredValue(value: id) }
  }
}

/// A row of `_moment`: the time at which a captured transaction ended.
struct TransactionEnd: Record {
  /// The number of the transaction.
  let transaction: Int64
  /// The time by the device's clock, in milliseconds since 1970.
  let date: Int64

  static let table = Table(
    "_moment", TransactionEnd.init,
    Column("batch", \.transaction).primaryKey(),
    Column("at", \.date)
  ).ofLibrary()

  /// Returns the known times by the numbers of the transactions.
  static func dates(_ reader: Reader) throws -> [Int64: Int64] {
    Dictionary(
      try all.all(reader).map { ($0.transaction, $0.date) }, uniquingKeysWith: { first, _ in first }
    )
  }
}
