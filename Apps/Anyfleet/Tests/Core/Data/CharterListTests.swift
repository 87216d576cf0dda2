import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreCalendar
import TestSupport
import Testing

@testable import Anyfleet

struct CharterListTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }
  private let today = CalendarDay(containing: .day(6, 6))

  init() throws { fixture = try Fixture() }

  private func names(_ filter: CharterFilter, matching text: String = "") async throws -> [String] {
    try await repository.fetchCharters(filter, on: today, matching: text).charters.map(\.name)
  }

  /// Stores a charter with the given start and end.
  @discardableResult
  private func charter(_ name: String, _ start: Date, _ end: Date) async throws -> CharterModel {
    var charter = CharterModel.sample(name, from: start)
    charter.endDate = end
    try await repository.createCharter(charter)
    return charter
  }

  private func fill() async throws {
    try await charter("long past", .day(3, 1), .day(3, 8))
    try await charter("just past", .day(5, 1), today.start.addingTimeInterval(-0.001))
    try await charter("ends today", .day(5, 30), today.start)
    try await charter("begins today", today.end.addingTimeInterval(-1), .day(6, 20))
    try await charter("begins tomorrow", today.end, .day(6, 8))
    try await charter("late", .day(9, 1), .day(9, 8))
  }

  // MARK: - Filters

  @Test func `Each charter is in the list of its phase, by calendar day, in the list's order`()
    async throws
  {
    try await fill()
    #expect(try await names(.past) == ["just past", "long past"])
    #expect(try await names(.inProgress) == ["ends today", "begins today"])
    #expect(try await names(.upcoming) == ["begins tomorrow", "late"])
    #expect(try await names(.archived) == [])
    #expect(
      try await names(.notArchived) == [
        "long past", "just past", "ends today", "begins today", "begins tomorrow", "late",
      ])
  }

  @Test func `The active charter is in no list by phase, and an archived one only in the archive`()
    async throws
  {
    try await fill()
    let all = try await repository.fetchAllCharters()
    for charter in all {
      try await repository.setActiveCharter(charter.id)
      for phase in CharterPhase.allCases {
        #expect(try await !names(.phase(phase)).contains(charter.name))
      }
      #expect(try await names(.notArchived).count == all.count)
    }
    try await repository.setActiveCharter(nil)
    for (count, charter) in all.enumerated() {
      try await repository.setArchived(true, charterID: charter.id)
      for filter in CharterFilter.allCases {
        #expect(try await names(filter).contains(charter.name) == (filter == .archived))
      }
      #expect(try await names(.archived).count == count + 1)
    }
    #expect(
      try await names(.archived) == [
        "late", "begins today", "begins tomorrow", "ends today", "just past", "long past",
      ])
  }

  @Test(arguments: CharterFilter.allCases + CharterPhase.allCases.map(CharterFilter.wholePhase))
  func `Each list equals the result of filtering and sorting all charters`(
    _ filter: CharterFilter
  ) async throws {
    // Starts and ends between the third and the ninth; some charters end before they start.
    for number in 0..<98 {
      let start = Date.day(6, 3 + number % 7).addingTimeInterval(Double(number % 3 - 1) * 43_199)
      let end = Date.day(6, 3 + number / 7 % 7).addingTimeInterval(Double(number % 5 - 2) * 21_599)
      let charter = try await charter("\(number)", start, end)
      if number % 9 == 0 { try await repository.setArchived(true, charterID: charter.id) }
      if number == 40 { try await repository.setActiveCharter(charter.id) }
    }
    let expected = try await repository.fetchAllCharters().expected(filter, on: today)
    #expect(!expected.isEmpty)
    let page = try await repository.fetchCharters(
      filter, on: today, matching: "", after: nil, limit: 100)
    #expect(page.charters.map(\.name) == expected.map(\.name))
    #expect(try await repository.countCharters(on: today)[filter] == expected.count)
  }

  @Test func `Every list that contains the active charter marks it as active`() async throws {
    try await fill()
    let chosen = try #require(try await repository.fetchAllCharters().last)
    try await repository.setActiveCharter(chosen.id)
    for list in [
      try await repository.fetchAllCharters(),
      try await repository.fetchPendingSync(),
      try await repository.fetchCharters(.notArchived, on: today).charters,
    ] {
      #expect(list.filter(\.isActive).map(\.id) == [chosen.id])
    }
    #expect(try await repository.fetchCharter(id: chosen.id)?.isActive == true)
  }

  @Test func `A charter is in exactly one list, even if it ends before it starts`() async throws {
    try await charter("turned", .day(7, 1), .day(3, 1))
    #expect(try await names(.upcoming) == ["turned"])
    #expect(try await names(.past) == [])
    #expect(try await names(.inProgress) == [])
  }

  // MARK: - Pages

  @Test(arguments: CharterFilter.allCases, [1, 3, 20])
  func `Pages of any size miss no charter and repeat none, even if dates are equal`(
    _ filter: CharterFilter, _ size: Int
  ) async throws {
    for number in 0..<30 {
      let start = Date.day([3, 6, 9][number % 3], 2 + number / 9)
      let charter = try await charter("\(number)", start, start.addingTimeInterval(86_400 * 7))
      if number % 5 == 0 {
        try await repository.setArchived(true, charterID: charter.id)
      }
    }
    var paged: [CharterModel] = []
    var page: CharterPage
    repeat {
      page = try await repository.fetchCharters(
        filter, on: today, matching: "", after: paged.last, limit: size)
      paged += page.charters
      #expect(page.charters.count == size || !page.hasMore)
    } while page.hasMore
    let list = try await first(repository.charters(filter, on: today))
    #expect(paged == list.rows)
    #expect(Set(paged.map(\.id)).count == paged.count)
    #expect(!paged.isEmpty)
  }

  @Test
  func
    `A page continues after the last charter of the page before, despite insertions and deletions`()
    async throws
  {
    for day in 1...9 { try await charter("\(day)", .day(7, day), .day(8, day)) }
    let first = try await repository.fetchCharters(
      .upcoming, on: today, matching: "", after: nil, limit: 3)
    #expect(first.charters.map(\.name) == ["1", "2", "3"])
    #expect(first.hasMore)
    let last = try #require(first.charters.last)
    try await repository.deleteCharter(last.id)
    try await charter("0", .day(6, 30), .day(8, 1))
    let second = try await repository.fetchCharters(
      .upcoming, on: today, matching: "", after: last, limit: 3)
    #expect(second.charters.map(\.name) == ["4", "5", "6"])
  }

  @Test func `A list that ends exactly with a page has no more, and the page after it is empty`()
    async throws
  {
    for day in 1...3 { try await charter("\(day)", .day(7, day), .day(8, day)) }
    let page = try await repository.fetchCharters(
      .upcoming, on: today, matching: "", after: nil, limit: 3)
    #expect(page.charters.count == 3)
    #expect(!page.hasMore)
    let none = try await repository.fetchCharters(
      .upcoming, on: today, matching: "", after: nil, limit: 0)
    #expect(none == CharterPage(hasMore: true))
  }

  @Test
  func `Unreadable rows do not count toward the size of a page, and exactly one page reports each`()
    async throws
  {
    for day in 1...9 { try await charter("\(day)", .day(7, day), .day(8, day)) }
    try await fixture.run("UPDATE charters SET crew = '[' WHERE name IN ('2', '3', '6', '9')")
    var pages: [CharterPage] = []
    repeat {
      pages.append(
        try await repository.fetchCharters(
          .upcoming, on: today, matching: "", after: pages.last?.charters.last, limit: 2))
    } while pages.last?.hasMore == true
    #expect(pages.map { $0.charters.map(\.name) } == [["1", "4"], ["5", "7"], ["8"]])
    #expect(pages.map(\.unreadable.count) == [2, 1, 1])
    #expect(fixture.unreadableRowCount == 4)
    let kinds = pages.flatMap(\.unreadable).map(\.kind)
    for kind in kinds {
      guard case .serializationFailed(_, "crew") = kind else {
        Issue.record("\(kind)")
        continue
      }
    }
  }

  @Test func `A list of unreadable rows only reports them and ends`() async throws {
    for day in 1...3 { try await charter("\(day)", .day(7, day), .day(8, day)) }
    try await fixture.run("UPDATE charters SET budget = 1")
    let page = try await repository.fetchCharters(.upcoming, on: today)
    #expect(page.charters == [])
    #expect(page.unreadable.count == 3)
    #expect(!page.hasMore)
    #expect(try await repository.countCharters(on: today)[.upcoming] == 3)
  }

  @Test(arguments: 0...7)
  func `Consecutive lists form one list, and a page may end anywhere in it`(_ limit: Int)
    async throws
  {
    try await fill()
    let active = try #require(try await repository.fetchAllCharters().last)
    try await repository.setActiveCharter(active.id)
    let page = try await repository.fetchCharters(
      [.active, .list(.inProgress), .list(.upcoming), .list(.archived), .list(.past)], on: today,
      matching: "", limit: limit)
    let names = ["late", "ends today", "begins today", "begins tomorrow", "just past", "long past"]
    #expect(page.charters.map(\.name) == Array(names.prefix(limit)))
    #expect(page.hasMore == (limit < names.count))
  }

  @Test func `The first of several consecutive lists can start after a given charter`() async throws
  {
    try await fill()
    let last = try #require(
      try await repository.fetchCharters(.inProgress, on: today).charters.first)
    let page = try await repository.fetchCharters(
      [.list(.inProgress, after: last), .list(.upcoming)], on: today, matching: "be", limit: 9)
    #expect(page.charters.map(\.name) == ["begins today", "begins tomorrow"])
    #expect(!page.hasMore)
  }

  // MARK: - Observation

  private func first<Value>(
    _ values: RepositoryValues<Value>
  ) async throws -> Value {
    var iterator = values.makeAsyncIterator()
    return try #require(try await iterator.next(isolation: nil))
  }

  @Test func `Counts equal the lengths of the lists and are observed`() async throws {
    var counts = repository.charterCounts(on: today).makeAsyncIterator()
    #expect(try await counts.next(isolation: nil) == CharterCounts())
    try await fill()
    let all = try await repository.fetchAllCharters()
    try await repository.setActiveCharter(all[0].id)
    try await repository.setArchived(true, charterID: all[5].id)
    let expected = CharterCounts([
      .past: 1, .inProgress: 2, .upcoming: 1, .notArchived: 5, .archived: 1,
      .wholePhase(.past): 2, .wholePhase(.inProgress): 2, .wholePhase(.upcoming): 1,
    ])
    #expect(try await repository.countCharters(on: today) == expected)
    // Values in between may be skipped; the latest one arrives.
    var latest = try await counts.next(isolation: nil)
    while latest != expected { latest = try await counts.next(isolation: nil) }
    for filter in CharterFilter.allCases {
      #expect(try await names(filter).count == expected[filter])
    }
  }

  @Test func `An observed list reports changes up to its limit`() async throws {
    try await fill()
    var list = repository.charters(.upcoming, on: today, matching: "", limit: 1)
      .makeAsyncIterator()
    #expect(try await list.next(isolation: nil)?.rows.map(\.name) == ["begins tomorrow"])
    var sooner = CharterModel.sample("sooner", from: today.end)
    sooner.startDate = today.end
    try await repository.setActiveCharter(
      try await repository.fetchCharters(.upcoming, on: today).charters[0].id)
    #expect(try await list.next(isolation: nil)?.rows.map(\.name) == ["late"])
    try await repository.createCharter(sooner)
    #expect(try await list.next(isolation: nil)?.rows.map(\.name) == ["sooner"])
  }

  @Test func `An observed list reports the rows that it leaves out`() async throws {
    try await fill()
    try await fixture.run("UPDATE charters SET crew = '[' WHERE name = 'late'")
    for list in [
      try await first(repository.charters(.upcoming, on: today)),
      try await first(repository.charters(.upcoming, on: today, matching: "", limit: 5)),
    ] {
      #expect(list.rows.map(\.name) == ["begins tomorrow"])
      #expect(list.unreadable.count == 1)
    }
  }

  @Test func `Exactly the changes that a page can show are announced`() async throws {
    let charter = try await charter("A", .day(7, 1), .day(7, 8))
    var changes = repository.charterChanges().makeAsyncIterator()
    var latest = try #require(try await changes.next(isolation: nil))
    func announced() async throws {
      let next = try #require(try await changes.next(isolation: nil))
      #expect(next > latest)
      latest = next
    }
    var changed = charter
    changed.crew = [CrewMember(name: "Zoë", role: .skipper)]
    try await repository.saveCharter(changed)
    try await announced()
    try await repository.setActiveCharter(charter.id)
    try await announced()
    try await repository.setArchived(true, charterID: charter.id)
    try await announced()
    try await repository.deleteCharter(charter.id)
    try await announced()
    // A change in another table is not announced, so the next number belongs to the next charter.
    _ = try await fixture.checklist()
    try await self.charter("B", .day(7, 1), .day(7, 8))
    let before = latest
    try await announced()
    #expect(latest == before + 1)
  }

  // MARK: - Speed

  @Test(arguments: CharterFilter.allCases, [false, true])
  func `Lists are read by an index, and in its order unless they are short`(
    _ filter: CharterFilter, _ isLater: Bool
  ) async throws {
    let boundary = CharterRow(.sample())
    let list = CharterList(filter, on: today, matching: "alma", activeID: UUID())
    let query = isLater ? list.query.after(boundary) : list.query
    let steps = try await fixture.plan(query.limit(20).sql)
    let index =
      [.upcoming, .notArchived].contains(filter) ? "idx_charters_start" : "idx_charters_end"
    #expect(steps.first?.hasPrefix("SEARCH charters USING INDEX \(index) (isArchived=?") == true)
    // Charters in progress are found by their end, since few end after today, and then sorted.
    #expect(steps.dropFirst() == (filter == .inProgress ? ["USE TEMP B-TREE FOR ORDER BY"] : []))
  }

  @Test(arguments: CharterFilter.allCases) func `Counts are read from an index alone`(
    _ filter: CharterFilter
  ) async throws {
    let query = CharterList(filter, on: today, matching: "", activeID: UUID()).query
    // The count uses the same plan as `exists`, without an order.
    let steps = try await fixture.plan("SELECT \(query.exists.sql)")
    #expect(steps.contains { $0.contains("USING COVERING INDEX idx_charters_") })
    #expect(!steps.contains { $0.contains("TEMP B-TREE") })
  }
}
