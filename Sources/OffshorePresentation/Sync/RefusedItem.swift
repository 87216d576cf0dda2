import Offshore
public import OffshoreSync
import OffshoreWire

/// A refused change, with the values that the user entered.
public struct RefusedItem: Hashable, Identifiable, Sendable {
  /// A value with its label, such as “Note” and “Torn”.
  public struct Value: Hashable, Sendable {
    /// The label of the field.
    public let label: LocalizedText
    /// The value.
    public let value: HistoryValue
  }

  /// The refused change.
  public let change: RefusedChange
  /// The values, with the labels from the history tables. Other fields are left out.
  public let values: [Value]
  /// The number of the change on this device.
  public var id: RefusedChange.ID { change.id }
}

/// A query for refused changes that adds the labels of their values.
struct RefusedItems {
  let store: SyncedStore
  let kinds: [OpenConflicts.Kind]

  /// Returns the refused changes, the oldest first.
  func all(_ reader: Reader) throws -> [RefusedItem] {
    try store.changes.refused(reader).map {
      RefusedItem(change: $0, values: try values(of: $0, reader))
    }
  }

  private func values(of change: RefusedChange, _ reader: Reader) throws -> [RefusedItem.Value] {
    guard let scope = change.scope,
      let tables = kinds.first(where: { $0.name == scope.kind })?.tables,
      let table = tables.first(where: { $0.table == change.place.table })
    else { return [] }
    let context = HistoryContext(scope: scope, reader: reader, store: store)
    return try change.values.sorted { $0.key < $1.key }.compactMap { field, value in
      let column = FieldName(field).column
      let part = table.rule(for: column)?.parts.first { $0.column == column }
      guard let part, let shown = try part.show(value, nil, context), shown != .missing else {
        return nil
      }
      return RefusedItem.Value(label: part.label, value: shown)
    }
  }
}
