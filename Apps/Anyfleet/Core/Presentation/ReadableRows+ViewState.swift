import OffshorePresentation

extension ReadableRows {
  /// The rows as the state of a screen. A list whose rows cannot be read is not empty.
  var state: ViewState<[Row]> {
    rows.isEmpty && unreadable.isEmpty ? .empty : .loaded(rows)
  }
}
