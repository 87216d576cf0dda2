public import OffshoreCalendar

/// Which charters a list has, and in which order.
///
/// The one that the user sails now is in no list of a phase, and an archived one is in the archive
/// only. Charters of one date are sorted by their ids.
public enum CharterFilter: Equatable, Hashable, Sendable {
  /// Those of a phase that are neither archived nor active: past ones by their end, newest first,
  /// others by their start, soonest first.
  case phase(CharterPhase)
  /// Those of a phase that are not archived, the active one included, in the order of the phase.
  case dated(CharterPhase)
  /// All that are not archived, the active one included, by their start, soonest first.
  case notArchived
  /// The archive, by their end, newest first.
  case archived

  /// Those whose last day is over.
  public static let past = Self.phase(.past)
  /// Those that start on a later day.
  public static let upcoming = Self.phase(.upcoming)
  /// Those of which today is a day.
  public static let inProgress = Self.phase(.inProgress)
}

extension CharterFilter: CaseIterable {
  public static let allCases = CharterPhase.allCases.map(Self.phase) + [.notArchived, .archived]
}

/// How many charters each filter has.
public struct CharterCounts: Equatable, Sendable {
  private var counts: [CharterFilter: Int]

  /// Takes the numbers; those left out are 0.
  public init(_ counts: [CharterFilter: Int] = [:]) {
    self.counts = counts.filter { $0.value != 0 }
  }

  /// How many charters a filter has.
  public subscript(filter: CharterFilter) -> Int { counts[filter] ?? 0 }
}

/// The place of a charter in time, by calendar day.
public enum CharterPhase: String, CaseIterable, Sendable {
  /// It starts on a later day.
  case upcoming
  /// Today is one of its days, the last one included.
  case inProgress
  /// Its last day is over.
  case past
}

extension CharterModel {
  /// The phase of the charter on a day.
  ///
  /// The days of a charter are those in which its dates lie in UTC: 12 June stays 12 June if the skipper
  /// flies west. The time of the day does not matter.
  public func phase(on today: CalendarDay) -> CharterPhase {
    if startDate >= today.end { return .upcoming }
    return endDate < today.start ? .past : .inProgress
  }
}

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
