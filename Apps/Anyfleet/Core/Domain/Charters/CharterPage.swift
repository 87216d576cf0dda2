/// A part of a list of charters, and whether there is more of it.
public struct CharterPage: Equatable, Sendable {
  /// The charters in the list's order. The next page begins after the last one.
  public var charters: [CharterModel]
  /// The errors of the rows between them that cannot be read.
  public var unreadable: [RepositoryError]
  /// Whether the list goes on after the last charter.
  public var hasMore: Bool

  /// How many charters a page has unless stated.
  public static let defaultSize = 20

  /// Creates a page.
  public init(
    charters: [CharterModel] = [], unreadable: [RepositoryError] = [], hasMore: Bool = false
  ) {
    self.charters = charters
    self.unreadable = unreadable
    self.hasMore = hasMore
  }
}

/// A list, or what is left of it, as one of several that follow each other.
public enum CharterListPart: Equatable, Sendable {
  /// The charter that the user sails now, where there is one.
  case active
  /// The charters of a filter, from the first on or after one, as that was read.
  case list(CharterFilter, after: CharterModel? = nil)
}
