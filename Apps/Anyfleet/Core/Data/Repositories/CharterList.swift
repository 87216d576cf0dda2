import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation

/// A query for the charters of a filter that match a search.
struct CharterList {
  let query: Query<CharterRow>
  private let activeID: UUID?

  /// Creates the query; see ``CharterRepository/fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter activeID: the active charter, which is excluded from the list of a phase.
  init(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, activeID: UUID?
  ) {
    var query = Self.query(filter, on: today)
    if case .phase = filter, let activeID { query = query.where { $0.id != activeID } }
    for word in SearchText.words(of: text) {
      query = query.where { $0.searchText.contains(word) }
    }
    self.query = query
    self.activeID = activeID
  }

  private static func query(_ filter: CharterFilter, on today: CalendarDay) -> Query<CharterRow> {
    let (start, end) = (today.start, today.end)
    return switch filter {
    case .phase(.upcoming), .wholePhase(.upcoming):
      soonestFirst(CharterRow.where { $0.isArchived == false && $0.startDate >= end })
    case .phase(.inProgress), .wholePhase(.inProgress):
      // The result is small, but an index on the start date would visit all charters that have
      // begun.
      CharterRow.where {
        $0.isArchived == false && $0.startDate.withoutIndex < end && $0.endDate >= start
      }.order { [$0.startDate.withoutIndex.ascending, $0.id.ascending] }
    case .phase(.past), .wholePhase(.past):
      // A charter that ends before it starts also belongs to exactly one phase.
      newestFirst(
        CharterRow.where { $0.isArchived == false && $0.endDate < start && $0.startDate < end })
    case .notArchived: soonestFirst(CharterRow.where { $0.isArchived == false })
    case .archived: newestFirst(CharterRow.where { $0.isArchived == true })
    }
  }

  private static func soonestFirst(_ query: Query<CharterRow>) -> Query<CharterRow> {
    query.order { [$0.startDate.ascending, $0.id.ascending] }
  }

  private static func newestFirst(_ query: Query<CharterRow>) -> Query<CharterRow> {
    query.order { [$0.endDate.descending, $0.id.descending] }
  }
}

extension CharterList {
  /// Fetches all charters of the list, without unreadable rows.
  func all(_ reader: Reader) throws -> ReadableRows<CharterModel> {
    try query.readable(reader).map { $0.charter(activeID: activeID) }
  }

  /// Fetches the charters after a charter, or the first ones.
  ///
  /// Unreadable rows do not count towards the limit, and each is reported by exactly one page.
  func page(
    after last: CharterModel?, limit: Int, _ reader: Reader
  ) throws -> (list: ReadableRows<CharterModel>, hasMore: Bool) {
    let rest = last.map { query.after(CharterRow($0)) } ?? query
    var list = ReadableRows<CharterModel>()
    while list.rows.count < limit {
      let wanted = limit - list.rows.count
      let part = try rest.limit(wanted).offset(list.count).readable(reader)
      list.rows += part.rows.map { $0.charter(activeID: activeID) }
      list.unreadable += part.unreadable
      guard part.count == wanted else { return (list, hasMore: false) }
    }
    return (list, hasMore: try rest.limit(1).offset(list.count).exists(reader))
  }
}

// MARK: - Several lists

extension CharterList {
  /// Fetches the first charters of consecutive lists; see
  /// ``CharterRepository/fetchCharters(_:on:matching:limit:)``.
  static func page(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int,
    _ reader: Reader
  ) throws -> CharterPage {
    let activeID = try ActiveCharterRow.activeID(reader)
    var page = CharterPage()
    for part in parts where !page.hasMore {
      let limit = limit - page.charters.count
      switch part {
      case .active:
        page += try activePage(matching: text, limit: limit, reader)
      case .list(let filter, let last):
        let list = CharterList(filter, on: today, matching: text, activeID: activeID)
        let (found, hasMore) = try list.page(after: last, limit: limit, reader)
        page += CharterPage(
          charters: found.rows, unreadable: found.unreadable.map { RepositoryError($0) },
          hasMore: hasMore)
      }
    }
    return page
  }

  /// Returns the active charter as a list of its own, if it matches the search.
  private static func activePage(
    matching text: String, limit: Int, _ reader: Reader
  ) throws -> CharterPage {
    do {
      guard let charter = try ActiveCharterRow.charter(reader), charter.matches(text) else {
        return CharterPage()
      }
      return limit > 0 ? CharterPage(charters: [charter]) : CharterPage(hasMore: true)
    } catch {
      let error = RepositoryError(error)
      guard case .serializationFailed = error.kind else { throw error }
      return CharterPage(unreadable: [error])
    }
  }

  /// Counts the charters of each filter.
  static func counts(on today: CalendarDay, _ reader: Reader) throws -> CharterCounts {
    let activeID = try ActiveCharterRow.activeID(reader)
    func count(_ filter: CharterFilter) throws -> Int {
      try CharterList(filter, on: today, matching: "", activeID: activeID).query.count(reader)
    }
    let (upcoming, inProgress) = (try count(.upcoming), try count(.inProgress))
    let notArchived = try count(.notArchived)
    // By its dates, the active charter belongs to one phase.
    let active = try [CharterPhase.upcoming, .inProgress].first { phase in
      guard let activeID else { return false }
      let list = CharterList(.wholePhase(phase), on: today, matching: "", activeID: nil)
      return try list.query.where { $0.id == activeID }.exists(reader)
    }
    let isActivePast =
      try active == nil
      && activeID.map { id in
        try CharterRow.find(id).where { $0.isArchived == false }.exists(reader)
      } ?? false
    // Each charter belongs to one phase, so the many past ones need not be counted.
    let past = notArchived - upcoming - inProgress - (active == nil && !isActivePast ? 0 : 1)
    return CharterCounts([
      .upcoming: upcoming, .inProgress: inProgress, .past: past, .notArchived: notArchived,
      .wholePhase(.upcoming): upcoming + (active == .upcoming ? 1 : 0),
      .wholePhase(.inProgress): inProgress + (active == .inProgress ? 1 : 0),
      .wholePhase(.past): past + (isActivePast ? 1 : 0),
      .archived: try count(.archived),
    ])
  }
}

extension CharterModel {
  /// Returns whether the charter matches a search.
  fileprivate func matches(_ text: String) -> Bool {
    let found = searchText
    return SearchText.words(of: text).allSatisfy { found.contains($0) }
  }
}

extension CharterPage {
  /// Appends the page of the list that follows.
  fileprivate static func += (page: inout Self, rest: Self) {
    page.charters += rest.charters
    page.unreadable += rest.unreadable
    page.hasMore = rest.hasMore
  }
}
