import Foundation
import Offshore
import OffshoreCalendar

@testable import Anyfleet

/// A sequence of one value, which is fetched on demand.
struct FetchedOnce<Value: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    var fetch: (@Sendable () async throws -> Value)?

    mutating func next() async throws -> Value? {
      defer { fetch = nil }
      return try await fetch?()
    }
  }

  private let fetch: @Sendable () async throws -> Value

  init(_ fetch: @escaping @Sendable () async throws -> Value) { self.fetch = fetch }

  func makeAsyncIterator() -> Iterator { Iterator(fetch: fetch) }
}

/// The current values, each once.
extension FailingFirst {
  func charters() -> RepositoryValues<ReadableRows<CharterModel>> {
    FetchedOnce { [self] in ReadableRows(rows: try await fetchAllCharters()) }
  }

  func charter(id: UUID) -> RepositoryValues<CharterModel?> {
    FetchedOnce { [self] in try await fetchCharter(id: id) }
  }

  func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> RepositoryValues<ReadableRows<CharterModel>> {
    FetchedOnce { [self] in
      let page = try await fetchCharters(
        filter, on: today, matching: text, after: nil, limit: limit ?? .max)
      return ReadableRows(
        rows: page.charters, unreadable: page.unreadable.compactMap { $0.cause as? DatabaseError })
    }
  }

  func charterCounts(on today: CalendarDay) -> RepositoryValues<CharterCounts> {
    FetchedOnce { [self] in try await countCharters(on: today) }
  }

  func activeCharter() -> RepositoryValues<CharterModel?> {
    FetchedOnce { [self] in try await fetchActiveCharter() }
  }

  func charterChecklists(_ charterID: UUID) -> RepositoryValues<ReadableRows<CharterChecklist>> {
    FetchedOnce { [self] in ReadableRows(rows: try await fetchCharterChecklists(charterID)) }
  }

  func checklist(_ id: UUID, inCharter charterID: UUID) -> RepositoryValues<Checklist?> {
    FetchedOnce { [self] in try await fetchChecklist(id, inCharter: charterID) }
  }
}
