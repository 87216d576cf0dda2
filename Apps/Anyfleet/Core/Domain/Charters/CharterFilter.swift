/// Which charters a list has, and in which order.
///
/// The one that the user sails now is in no list of a phase, and an archived one is in the archive
/// only. Charters of one date are sorted by their ids.
public enum CharterFilter: Equatable, Hashable, Sendable {
  /// Those of a phase that are neither archived nor active: past ones by their end, newest first,
  /// others by their start, soonest first.
  case phase(CharterPhase)
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
