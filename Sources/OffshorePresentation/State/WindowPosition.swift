/// A place in a long ordered list of rows, at which a ``PagedWindow`` opens.
public enum WindowPosition<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The last rows.
  case end
  /// The first rows.
  case start
  /// A row that was looked for, such as the result of a search, with the rows around it.
  case around(ID)
  /// A row at which the user was before, with the rows around it; if it does not exist any more, the first of others
  /// that does, such as the rows after it.
  case near(ID, or: [ID] = [])
  /// The rows directly before a row, which is not one of them.
  case before(ID)
  /// The rows directly after a row, which is not one of them.
  case after(ID)

  /// The row that the position refers to, or `nil` for an end of the list.
  public var row: ID? {
    switch self {
    case .end, .start: nil
    case .around(let id), .near(let id, _), .before(let id), .after(let id): id
    }
  }

  /// The row that was looked for and that a page marks, or `nil`.
  public var markedRow: ID? { if case .around(let id) = self { id } else { nil } }
}
