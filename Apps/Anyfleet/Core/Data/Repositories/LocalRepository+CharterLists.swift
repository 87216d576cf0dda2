import Foundation
public import Offshore
public import OffshoreCalendar
import OffshorePresentation
import Synchronization

extension LocalRepository {
  public func fetchCharters(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int
  ) async throws -> CharterPage {
    let page = try await read("fetchCharters") { reader in
      let activeID = try Self.activeID(reader)
      var page = CharterPage()
      for part in parts where !page.hasMore {
        let limit = limit - page.charters.count
        switch part {
        case .active:
          page += try Self.activePage(matching: text, limit: limit, reader)
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
    warn(of: page.unreadable)
    return page
  }

  public func countCharters(on today: CalendarDay) async throws -> CharterCounts {
    try await read("countCharters") { try Self.counts(on: today, $0) }
  }

  public func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    values("observeCharterList", unreadable: \.unreadable) { reader in
      let list = CharterList(filter, on: today, matching: text, activeID: try Self.activeID(reader))
      guard let limit else { return try list.all(reader) }
      return try list.page(after: nil, limit: limit, reader).list
    }
  }

  public func charterCounts(
    on today: CalendarDay
  ) -> any AsyncSequence<CharterCounts, any Error> & Sendable {
    values("observeCharterCounts") { try Self.counts(on: today, $0) }
  }

  public func charterChanges() -> any AsyncSequence<Int, any Error> & Sendable {
    let changes = Counter()
    return values("observeCharterChanges") { reader in
      // No row is read, but every change of one of these columns fetches again.
      _ = try CharterRow.all.limit(0).all(reader)
      _ = try Self.activeID(reader)
      return changes.next()
    }
  }

  /// The active charter where a search finds it, as a list of its own.
  private static func activePage(
    matching text: String, limit: Int, _ reader: Reader
  ) throws -> CharterPage {
    do {
      guard let charter = try activeCharter(reader), charter.matches(text) else {
        return CharterPage()
      }
      return limit > 0 ? CharterPage(charters: [charter]) : CharterPage(hasMore: true)
    } catch {
      let error = RepositoryError(error)
      guard case .serializationFailed = error.kind else { throw error }
      return CharterPage(unreadable: [error])
    }
  }

  private static func counts(on today: CalendarDay, _ reader: Reader) throws -> CharterCounts {
    let activeID = try activeID(reader)
    func count(_ filter: CharterFilter) throws -> Int {
      try CharterList(filter, on: today, matching: "", activeID: activeID).query.count(reader)
    }
    let (upcoming, inProgress) = (try count(.upcoming), try count(.inProgress))
    let notArchived = try count(.notArchived)
    let active = try activeID.map { id in
      try CharterRow.find(id).where { $0.isArchived == false }.count(reader)
    }
    // Each of them is the active one or in one phase, so the many that are past need no counting.
    let past = notArchived - upcoming - inProgress - (active ?? 0)
    return CharterCounts([
      .upcoming: upcoming, .inProgress: inProgress, .past: past, .notArchived: notArchived,
      .archived: try count(.archived),
    ])
  }
}

extension CharterModel {
  /// Whether a search for a text finds the charter.
  fileprivate func matches(_ text: String) -> Bool {
    let found = searchText
    return SearchText.words(of: text).allSatisfy { found.contains($0) }
  }
}

extension CharterPage {
  /// Adds what follows in another list.
  fileprivate static func += (page: inout Self, rest: Self) {
    page.charters += rest.charters
    page.unreadable += rest.unreadable
    page.hasMore = rest.hasMore
  }
}

/// Numbers one after the other, from any thread.
private final class Counter: Sendable {
  private let latest = Mutex(0)

  func next() -> Int {
    latest.withLock { latest in
      latest += 1
      return latest
    }
  }
}
