public import Offshore
public import OffshoreSync

extension Live {
  /// Creates an observation of the results of a query, a join or a selection.
  public convenience init<Results: Fetchable>(_ results: Results, in store: SyncedStore)
  where Value == [Results.Element], Results.Element: Equatable {
    self.init { store.values(of: results) }
  }
}

extension Live where Value: Record & Equatable {
  /// Creates an observation of a single row. Its state is the error `database(.notFound)` while the
  /// row is missing.
  public convenience init(required row: Query<Value>, in store: SyncedStore) {
    self.init(required: { store.values { try row.first($0) } })
  }
}

extension ReadableRows {
  /// The rows as the state of a screen. A list with unreadable rows does not count as empty.
  public var state: ViewState<[Row]> {
    rows.isEmpty && unreadable.isEmpty ? .empty : .loaded(rows)
  }
}

extension Live {
  /// Returns the errors of unreadable rows, and of the latest refresh if it failed.
  public func notices<Row>() -> [AppError] where Value == ReadableRows<Row> {
    (state.data?.unreadable.map(\.asAppError) ?? []) + [refreshError].compactMap(\.self)
  }
}
