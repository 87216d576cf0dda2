public import Offshore
public import OffshoreSync

extension Live {
  /// Follows the results of a query, a join or a selection.
  public convenience init<Results: Fetchable>(_ results: Results, in store: SyncedStore)
  where Value == [Results.Element], Results.Element: Equatable {
    self.init { store.values(of: results) }
  }
}

extension Live where Value: Record & Equatable {
  /// Follows the row of a key, which is the error `database(.notFound)` while it is missing.
  public convenience init(required row: Query<Value>, in store: SyncedStore) {
    self.init(required: { store.values { try row.one($0) } })
  }
}

extension ReadableRows {
  /// The rows as the state of a screen. A list with rows that cannot be read is not empty.
  public var state: ViewState<[Row]> {
    rows.isEmpty && unreadable.isEmpty ? .empty : .loaded(rows)
  }
}

extension Live {
  /// The errors of rows that are left out, and the reason why the rest may be out of date.
  public func notices<Row>() -> [AppError] where Value == ReadableRows<Row> {
    (state.data?.unreadable.map(\.asAppError) ?? []) + [refreshError].compactMap(\.self)
  }
}
