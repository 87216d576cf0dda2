public import Foundation
public import Offshore
import OffshoreSync
import OffshoreWire

/// A synced table in a history, with the presentation of its fields.
///
/// ```swift
/// let tables = [
///   HistoryTable(PackingList.self, fields: [.text(\.title, label: .title)]),
///   HistoryTable(Item.self, name: .item, fields: [.text(\.title, label: .title)]),
/// ]
/// ```
public struct HistoryTable: Sendable {
  /// A type-erased field, because the fields of several tables are in one list.
  struct Field: Sendable {
    let columns: [HistoryColumn]
    let combination: HistoryColumn.Combination?
    let isAllowed: @Sendable (_ id: String, [Conflict], HistoryContext) throws -> Bool
  }

  let table: String
  /// The name of a row without a title; `nil` if a history has only one row of the table.
  let name: LocalizedText?
  let fields: [Field]
  let title: @Sendable (_ id: String, HistoryContext) throws -> String?
  /// Inserts a deleted row.
  let insert: (@Sendable (HistoryPlace, Date, Writer) throws -> Void)?
  /// Updates the columns and rows that depend on the row.
  let updateDependants: @Sendable (_ id: String, Date, Replica, Writer) throws -> Void

  /// Declares a table.
  ///
  /// - Parameters:
  ///   - type: the record of the table.
  ///   - name: the name of a row, such as “Item”, if a history shows several rows of the table. Its
  ///     entries then begin with the title of the row or, without a title, with this name.
  ///   - fields: the fields that are shown. Conflicts in other fields are left out.
  ///   - title: returns the title of a row that is deleted or has none, by its key.
  ///   - blank: returns a new row in place of a deleted one, so that a losing value can be chosen;
  ///     without it, it cannot.
  ///   - updateDependants: updates the columns and rows that depend on a row after a value was
  ///     chosen, in the same transaction.
  public init<Row: Record>(
    _ type: Row.Type, name: LocalizedText? = nil, fields: [HistoryField<Row>],
    title: @escaping @Sendable (_ id: String, HistoryContext) throws -> String? = { _, _ in nil },
    blank: (@Sendable (HistoryPlace, _ now: Date) -> Row?)? = nil,
    updateDependants: @escaping @Sendable (Row, _ now: Date, Writer) throws -> Void = { _, _, _ in }
  ) {
    table = type.table.name
    self.name = name
    self.title = title
    self.fields = fields.map { field in
      Field(columns: field.columns, combination: field.combination) { id, conflicts, context in
        guard let isAllowed = field.isAllowed else { return true }
        let row = try context.readable {
          try context.store.replica.row(type, id: id, reverting: conflicts, context.reader)
        }
        return try row.map { try isAllowed($0, context) } ?? false
      }
    }
    insert =
      if let blank {
        { place, now, writer in if let row = blank(place, now) { try row.insert(writer) } }
      } else {
        nil
      }
    self.updateDependants = { id, now, replica, writer in
      guard let row = try replica.row(type, id: id, writer) else { return }
      try updateDependants(row, now, writer)
    }
  }

  /// Returns the field of a column.
  func field(for column: String) -> Field? {
    fields.first { $0.columns.contains { $0.column == column } }
  }
}

extension HistoryContext {
  /// Returns `nil` in place of an unreadable row.
  fileprivate func readable<Row>(_ read: () throws -> Row?) throws -> Row? {
    do {
      return try read()
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }
}

/// The place of a value: a row, or a key in a column that is merged by key.
public struct HistoryPlace: Hashable, Sendable {
  /// The name of the table.
  public let table: String
  /// The key of the row.
  public let id: String
  /// The key in the column, as written in JSON; `nil` for the value of a whole column.
  public let key: String?

  /// Creates the place of a row, or of a key in one of its columns.
  public init<Row: Record>(_ type: Row.Type, _ id: UUID, key: String? = nil) {
    (table, self.id, self.key) = (type.table.name, id.uuidString, key)
  }

  init(of row: RowID, key: String? = nil) { (table, id, self.key) = (row.table, row.id, key) }
}
