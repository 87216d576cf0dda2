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

extension ViewState where Value: Collection, Value.Element: Identifiable {
  /// The state of one element of a list.
  ///
  /// - Parameter error: why there is no such element, where that was asked.
  func element(_ id: Value.Element.ID, missing error: AppError?) -> ViewState<Value.Element> {
    guard isKnown else { return flatMap { _ in .idle } }
    let element = data?.first { $0.id == id }
    return element.map { .loaded($0) } ?? .error(error ?? .database(.notFound))
  }
}
