import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation

/// The charters of a filter that match a search, as a query.
struct CharterList {
  let query: Query<CharterRow>
  private let activeID: UUID?

  /// Takes what tells which charters are in the list; see
  /// ``CharterRepository/fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter activeID: the active charter, which is in no list of a phase.
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
    case .phase(.upcoming):
      soonestFirst(CharterRow.where { $0.isArchived == false && $0.startDate >= end })
    case .phase(.inProgress):
      // Few are, and all that have begun would be looked through by their start.
      CharterRow.where {
        $0.isArchived == false && $0.startDate.withoutIndex < end && $0.endDate >= start
      }.order { [$0.startDate.withoutIndex.ascending, $0.id.ascending] }
    case .phase(.past):
      // One that ends before it starts is in one phase too.
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
  /// All charters of the list that can be read.
  func all(_ reader: Reader) throws -> ReadableRows<CharterModel> {
    try query.readable(reader).map { $0.charter(activeID: activeID) }
  }

  /// The charters after one, or the first.
  ///
  /// Rows that cannot be read take no place: pages are full as long as there are charters, and each
  /// such row is reported by one page.
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
