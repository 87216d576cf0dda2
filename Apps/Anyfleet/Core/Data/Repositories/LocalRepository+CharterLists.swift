import Foundation
import Offshore
import Synchronization

extension LocalRepository {
  public func fetchCharters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String,
    after last: CharterModel?, limit: Int
  ) async throws -> CharterPage {
    let page = try await read("fetchCharters") { reader in
      let list = CharterList(filter, on: today, matching: text, activeID: try Self.activeID(reader))
      return try list.page(after: last, limit: limit, reader)
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
      let page = try list.page(after: nil, limit: limit, reader)
      return ReadableRows(rows: page.charters, unreadable: page.unreadable)
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

  private static func counts(on today: CalendarDay, _ reader: Reader) throws -> CharterCounts {
    let activeID = try activeID(reader)
    var counts: [CharterFilter: Int] = [:]
    for filter in CharterFilter.allCases {
      let list = CharterList(filter, on: today, matching: "", activeID: activeID)
      counts[filter] = try list.query.count(reader)
    }
    return CharterCounts(counts)
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
