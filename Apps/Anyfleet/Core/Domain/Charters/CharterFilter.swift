public import OffshoreCalendar

/// A list of charters: its condition and its order.
///
/// The list of a phase excludes the active charter. Archived charters are in the archive only.
/// Charters with the same date are sorted by id.
public enum CharterFilter: Equatable, Hashable, Sendable {
  /// The charters of a phase that are neither archived nor active: past ones by end date, newest
  /// first; others by start date, soonest first.
  case phase(CharterPhase)
  /// The charters of a phase that are not archived, including the active one, in the order of the
  /// phase.
  case wholePhase(CharterPhase)
  /// All charters that are not archived, including the active one, by start date, soonest first.
  case notArchived
  /// The archived charters by end date, newest first.
  case archived

  /// The charters whose last day is before today.
  package static let past = Self.phase(.past)
  /// The charters that start after today.
  package static let upcoming = Self.phase(.upcoming)
  /// The charters that include today.
  package static let inProgress = Self.phase(.inProgress)
}

extension CharterFilter: CaseIterable {
  public static let allCases = CharterPhase.allCases.map(Self.phase) + [.notArchived, .archived]
}

/// The numbers of charters by filter.
public struct CharterCounts: Equatable, Sendable {
  private var counts: [CharterFilter: Int]

  /// Creates counts. A filter that is left out has 0.
  package init(_ counts: [CharterFilter: Int] = [:]) {
    self.counts = counts.filter { $0.value != 0 }
  }

  /// The number of charters of a filter.
  package subscript(filter: CharterFilter) -> Int { counts[filter] ?? 0 }
}

/// The phase of a charter relative to a calendar day.
public enum CharterPhase: String, CaseIterable, Sendable {
  /// The charter starts on a later day.
  case upcoming
  /// The day is one of the charter's days, including the last one.
  case inProgress
  /// The last day of the charter is over.
  case past
}

extension CharterModel {
  /// Returns the phase of the charter on a day.
  ///
  /// The days of a charter are those of its dates in UTC: 12 June stays 12 June in any time zone.
  /// The time of day is ignored.
  public func phase(on today: CalendarDay) -> CharterPhase {
    if startDate >= today.end { return .upcoming }
    return endDate < today.start ? .past : .inProgress
  }
}

/// A page of a list of charters.
public struct CharterPage: Equatable, Sendable {
  /// The charters in the order of the list. The next page starts after the last one.
  package var charters: [CharterModel]
  /// The errors of unreadable rows between them.
  package var unreadable: [RepositoryError]
  /// Whether the list continues after the last charter.
  package var hasMore: Bool

  /// The default number of charters of a page.
  public static let defaultSize = 20

  /// Creates a page.
  package init(
    charters: [CharterModel] = [], unreadable: [RepositoryError] = [], hasMore: Bool = false
  ) {
    self.charters = charters
    self.unreadable = unreadable
    self.hasMore = hasMore
  }
}

/// A list, or the rest of one, in a sequence of lists.
public enum CharterListPart: Equatable, Sendable {
  /// The active charter, if there is one.
  case active
  /// The charters of a filter, from the first one or after a charter, as it was read.
  case list(CharterFilter, after: CharterModel? = nil)
}
