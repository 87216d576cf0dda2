/// Which charters a list shows to somebody.
public enum CharterListFilter: String, CaseIterable, Sendable {
  /// All that are not archived: the active one, those in progress, those to come, and past ones.
  case all
  case past
  case upcoming
  case inProgress
  case archived

  /// The lists that follow each other in it.
  var filters: [CharterFilter] {
    switch self {
    case .all: [.inProgress, .upcoming, .past]
    case .past: [.past]
    case .upcoming: [.upcoming]
    case .inProgress: [.inProgress]
    case .archived: [.archived]
    }
  }

  /// The filter whose number of charters is that of this one.
  public var counted: CharterFilter { self == .all ? .notArchived : filters[0] }
}
