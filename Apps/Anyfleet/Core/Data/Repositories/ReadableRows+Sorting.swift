import Offshore

extension ReadableRows {
  /// Returns the list sorted by a text as a dictionary sorts: case and accents count only if the texts
  /// are otherwise the same. Rows of the same text stay in their order.
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
