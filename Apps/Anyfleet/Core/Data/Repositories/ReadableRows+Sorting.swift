import Offshore

extension ReadableRows {
  /// The list by a text, as readers look for it: case and marks count only where all else is the
  /// same. Rows of the same text stay in their order.
  func sorted(by text: (Row) -> String) -> Self {
    let keyed = rows.map { (key: (SearchText.folded(text($0)), text($0)), row: $0) }
    // NB: Swift's sort is stable, which its documentation does not promise: places break ties.
    let sorted = keyed.enumerated().sorted {
      $0.element.key != $1.element.key
        ? $0.element.key < $1.element.key : $0.offset < $1.offset
    }
    return ReadableRows(rows: sorted.map(\.element.row), unreadable: unreadable)
  }
}
