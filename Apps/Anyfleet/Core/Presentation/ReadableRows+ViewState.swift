import Offshore
import OffshorePresentation

extension ReadableRows {
  /// The rows as the state of a screen. A list whose rows cannot be read is not empty.
  var state: ViewState<[Row]> {
    rows.isEmpty && unreadable.isEmpty ? .empty : .loaded(rows)
  }
}

extension Live {
  /// What is left out because it cannot be read, and why the rest may be out of date.
  func notices<Row>() -> [AppError] where Value == ReadableRows<Row> {
    (state.data?.unreadable.map(\.asAppError) ?? []) + [refreshError].compactMap(\.self)
  }
}
