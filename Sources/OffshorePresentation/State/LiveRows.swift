public import Offshore
public import OffshoreSync

extension Live {
  /// Follows the rows of a query.
  public convenience init<Row: Record & Equatable>(_ rows: Query<Row>, in store: SyncedStore)
  where Value == [Row] {
    self.init { store.values(of: rows) }
  }
}

extension Live where Value: Record & Equatable {
  /// Follows the row of a key, which is the error `database(.notFound)` while it is missing.
  public convenience init(required row: Query<Value>, in store: SyncedStore) {
    self.init(required: { store.values { try row.one($0) } })
  }
}
