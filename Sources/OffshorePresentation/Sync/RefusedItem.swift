package import Offshore
public import OffshoreSync
import OffshoreWire

/// A refused change, with the values that the user entered.
public struct RefusedItem: Hashable, Identifiable, Sendable {
  /// A value with its label, such as “Note” and “Torn”.
  public struct Value: Hashable, Sendable {
    /// The name of the field: that of its column, with the key if the column is merged by its keys.
    package let field: String
    /// The label of the field.
    public let label: LocalizedText
    /// The value.
    public let value: HistoryValue
    /// The column of the field.
    package var column: String { FieldName(field).column }

    package init(field: String, label: LocalizedText, value: HistoryValue) {
      (self.field, self.label, self.value) = (field, label, value)
    }
  }

  /// The refused change.
  public let change: RefusedChange
  /// The values, with the labels from the history tables. Other fields are left out.
  public let values: [Value]
  /// The address of the page that shows the row, if the row has stayed in its place.
  package let page: String?
  /// The number of the change on this device.
  public var id: RefusedChange.ID { change.id }

  package init(change: RefusedChange, values: [Value], page: String? = nil) {
    (self.change, self.values, self.page) = (change, values, page)
  }
}

/// A query for the refused changes, which adds the labels of their values.
package struct RefusedItems: Sendable {
  private let store: SyncedStore
  private let kinds: [OpenConflicts.Kind]

  /// Creates a query.
  /// - Parameter kinds: the kinds of scopes whose values have labels.
  package init(in store: SyncedStore, of kinds: [OpenConflicts.Kind]) {
    self.store = store
    self.kinds = kinds
  }

  /// Observes the refused changes, the oldest first.
  package func values() -> ObservedValues<[RefusedItem]> { store.values { try all($0) } }

  private func all(_ reader: Reader) throws -> [RefusedItem] {
    try store.changes.refused(reader).map {
      RefusedItem(
        change: $0, values: try shownValues(of: $0, reader), page: try page(of: $0, reader))
    }
  }

  private func page(of change: RefusedChange, _ reader: Reader) throws -> String? {
    guard change.isInPlace, let scope = change.scope,
      let kind = kinds.first(where: { $0.name == scope.kind })
    else { return nil }
    return try kind.address(
      HistoryPlace(of: change.place),
      HistoryContext(scope: scope, reader: reader, store: store))
  }

  private func shownValues(
    of change: RefusedChange, _ reader: Reader
  ) throws -> [RefusedItem.Value] {
    guard let scope = change.scope,
      let tables = kinds.first(where: { $0.name == scope.kind })?.tables,
      let table = tables.first(where: { $0.table == change.place.table })
    else { return [] }
    let context = HistoryContext(scope: scope, reader: reader, store: store)
    return try change.values.sorted { $0.key < $1.key }.compactMap { field, value in
      let column = FieldName(field).column
      let shownColumn = table.field(for: column)?.columns.first { $0.column == column }
      guard let shownColumn, let shown = try shownColumn.show(value, nil, context),
        shown != .missing
      else {
        return nil
      }
      return RefusedItem.Value(field: field, label: shownColumn.label, value: shown)
    }
  }
}
