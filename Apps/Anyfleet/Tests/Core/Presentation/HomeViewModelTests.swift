import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct HomeViewModelTests {
  private let fixture: Fixture
  private let store: CharterStore
  private let viewModel: HomeViewModel

  init() throws {
    fixture = try Fixture()
    fixture.now = .day(6, 12)
    store = fixture.makeCharterStore()
    viewModel = HomeViewModel(store: store, unfinished: fixture.repository)
  }

  @Test func `Home is empty at the first use`() async {
    #expect(!viewModel.isFirstUse)
    await viewModel.load()
    #expect(viewModel.isFirstUse)
    #expect(viewModel.activeCharter.isEmpty)
    #expect(viewModel.nextUp.isEmpty)
    #expect(viewModel.checklistToContinue.isEmpty)
  }

  @Test func `Home shows the active charter, and the next ones in their order`() async throws {
    await viewModel.load()
    for (name, day) in [("4", 24), ("3", 22), ("2", 20), ("1", 10), ("past", 1)] {
      _ = try await fixture.charter(name, from: .day(6, day))
    }
    await waitUntil { viewModel.nextUp.data?.map(\.name) == ["2", "3", "4"] }
    let third = try #require(viewModel.nextUp.data?[1])
    try await store.setActive(third.id)
    await waitUntil { viewModel.activeCharter.data?.id == third.id }
    await waitUntil { viewModel.nextUp.data?.map(\.name) == ["2", "4"] }
    #expect(viewModel.alsoUnderWay.data?.map(\.name) == ["1"])
    #expect(viewModel.sailingNow.data?.map(\.name) == ["3"])
    await waitUntil {
      viewModel.counts.data?[.past] == 1 && viewModel.counts.data?[.notArchived] == 5
    }
    #expect(!viewModel.isFirstUse)
    #expect(viewModel.notices == [])
  }

  @Test
  func `Charters in progress are shown as sailing now if none is active, and one can be activated`()
    async throws
  {
    let (first, second) = (
      try await fixture.charter("1", from: .day(6, 10)),
      try await fixture.charter("2", from: .day(6, 11))
    )
    await viewModel.load()
    #expect(viewModel.sailingNow.data == [first, second])
    #expect(viewModel.nextUp.isEmpty)
    #expect(await viewModel.setActive(second.id))
    #expect(viewModel.sailingNow.data?.map(\.name) == ["2"])
    #expect(viewModel.nextUp.isEmpty)
    await waitUntil { viewModel.alsoUnderWay.data?.map(\.name) == ["1"] }
    #expect(await !viewModel.setActive(UUID()))
    #expect(viewModel.actionError == .database(.notFound))
    #expect(viewModel.sailingNow.data?.map(\.name) == ["2"])
  }

  @Test func `The active charter and the counts are read once for all pages and the store`()
    async throws
  {
    let charter = try await fixture.charter("1", from: .day(6, 10))
    await viewModel.load()
    let before = fixture.log.count
    #expect(await viewModel.setActive(charter.id))
    #expect(store.activeCharter?.id == charter.id && store.activeCharterCount == 1)
    let second = HomeViewModel(store: store, unfinished: fixture.repository)
    await second.load()
    #expect(second.activeCharter.data?.id == charter.id && second.counts.data?[.notArchived] == 1)
    let list = CharterListViewModel(store: store)
    await list.load()
    #expect(list.count(of: .all) == 1)
    let observed = Set(fixture.log.dropFirst(before)).filter { $0.contains("observe") }
    #expect(!observed.contains("debug observeActiveCharter"))
    #expect(!observed.contains("debug observeCharterCounts"))
    #expect(observed.contains("debug observeCharterList"))
  }

  @Test func `Lists with only unreadable rows are not empty`() async throws {
    _ = try await fixture.charter("under way", from: .day(6, 10))
    _ = try await fixture.charter("next", from: .day(6, 20))
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    await viewModel.load()
    #expect(viewModel.sailingNow == .loaded([]))
    #expect(viewModel.nextUp == .loaded([]))
    #expect(viewModel.notices.map(\.id) == ["database.unreadable", "database.unreadable"])
  }

  @Test func `A new day changes the phases and the lists`() async throws {
    let charter = try await fixture.charter("today", from: .day(6, 13))
    await viewModel.load()
    #expect(viewModel.phase(of: charter) == .upcoming)
    fixture.now = .day(6, 13)
    store.today.refresh()
    #expect(viewModel.phase(of: charter) == .inProgress)
    await waitUntil { viewModel.counts.data?[.inProgress] == 1 }
    fixture.now = .day(6, 21)
    await viewModel.load()
    await waitUntil { viewModel.nextUp.isEmpty }
  }

  @Test
  func `The checklist to continue is the latest of the active charter, or else of any charter`()
    async throws
  {
    let (first, second) = (try await fixture.charter("A"), try await fixture.charter("B"))
    let (one, two) = (try await fixture.checklist("1"), try await fixture.checklist("2"))
    await viewModel.load()
    try await fixture.tick(0, of: one, in: first)
    fixture.now = .day(6, 13)
    try await fixture.tick(0, of: two, in: second)
    await waitUntil { viewModel.checklistToContinue.data?.progress.id == two.id }
    #expect(viewModel.checklistToContinue.data?.charter.id == second.id)
    #expect(viewModel.checklistToContinue.data?.progress.checkedCount == 1)
    try await store.setActive(first.id)
    await waitUntil { viewModel.checklistToContinue.data?.progress.id == one.id }
    for item in 1..<3 { try await fixture.tick(item, of: one, in: first) }
    await waitUntil { viewModel.checklistToContinue.data?.progress.id == two.id }
    try await store.setArchived(true, charterID: second.id)
    await waitUntil { viewModel.checklistToContinue.isEmpty }
  }

  @Test func `An unreadable checklist is skipped`() async throws {
    let charter = try await fixture.charter()
    let good = try await fixture.checklist("good")
    try await fixture.tick(0, of: good, in: charter)
    fixture.now = .day(6, 13)
    for title in 0..<9 {
      let checklist = try await fixture.checklist("\(title)")
      try await fixture.tick(0, of: checklist, in: charter)
      if title == 0 {
        try await fixture.run("UPDATE checklists SET sections = '[' WHERE id = \(checklist.id)")
      } else {
        try await fixture.repository.deleteChecklist(checklist.id)
      }
    }
    await viewModel.load()
    #expect(viewModel.checklistToContinue.data?.progress.id == good.id)
  }

  @Test func `Each part that failed to load reports it, and is loaded when the screen loads again`()
    async throws
  {
    let charter = try await fixture.charter("next", from: .day(6, 20))
    let repository = FlakyRepository(fixture.repository, failsParts: true)
    let store = CharterStore(
      repository: repository, now: { .day(6, 12) }, calendar: { .utc })
    let viewModel = HomeViewModel(store: store, unfinished: repository)
    await viewModel.load()
    #expect(viewModel.activeCharter.isRetryable)
    #expect(viewModel.nextUp.isRetryable)
    #expect(viewModel.counts.isRetryable)
    #expect(viewModel.checklistToContinue.isRetryable)
    await viewModel.load()
    #expect(viewModel.activeCharter.isEmpty)
    #expect(viewModel.nextUp == .loaded([charter]))
    #expect(viewModel.counts.data?[.upcoming] == 1)
    #expect(viewModel.checklistToContinue.isEmpty)
  }

  @Test func `Unreadable rows are reported, and the rest shows`() async throws {
    let damaged = try await fixture.charter("damaged", from: .day(6, 20))
    _ = try await fixture.charter("good", from: .day(6, 21))
    try await fixture.run("UPDATE charters SET crew = '[' WHERE id = \(damaged.id)")
    await viewModel.load()
    #expect(viewModel.nextUp.data?.map(\.name) == ["good"])
    #expect(viewModel.notices.map(\.id) == ["database.unreadable"])
  }

  @Test func `The view model is released while it observes`() async throws {
    weak var released: HomeViewModel?
    do {
      let viewModel = HomeViewModel(store: store, unfinished: fixture.repository)
      await viewModel.load()
      released = viewModel
    }
    #expect(released == nil)
  }
}
