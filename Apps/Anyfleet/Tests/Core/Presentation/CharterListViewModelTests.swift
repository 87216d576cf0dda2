import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterListViewModelTests {
  private let fixture: Fixture
  private let store: CharterStore
  private let viewModel: CharterListViewModel

  init() throws {
    fixture = try Fixture()
    fixture.now = .day(6, 12)
    store = fixture.makeCharterStore()
    viewModel = CharterListViewModel(store: store)
  }

  @Test func `All charters are shown by phase, and a filter shows one phase`() async throws {
    for (name, day) in [("past", 1), ("future", 20), ("present", 10)] {
      _ = try await fixture.charter(name, from: .day(6, day))
    }
    await viewModel.load()
    #expect(viewModel.charters.data?.map(\.name) == ["present", "future", "past"])
    for (filter, name) in [
      (CharterListFilter.past, "past"), (.inProgress, "present"), (.upcoming, "future"),
    ] {
      await viewModel.show(filter, matching: "")
      #expect(viewModel.filter == filter)
      #expect(viewModel.charters.data?.map(\.name) == [name])
      #expect(viewModel.count(of: filter) == 1)
    }
    #expect(viewModel.count(of: .all) == 3)
    #expect(viewModel.count(of: .archived) == 0)
  }

  @Test func `Parts that failed to load are loaded when the screen loads again`() async throws {
    let charter = try await fixture.charter(from: .day(6, 1))
    let store = CharterStore(
      repository: FlakyRepository(fixture.repository, failsParts: true), now: { .day(6, 12) },
      calendar: { .utc })
    let viewModel = CharterListViewModel(store: store, filter: .past)
    await viewModel.load()
    #expect(viewModel.charters.errorValue == .database(.readFailed))
    await viewModel.load()
    #expect(viewModel.charters.data == [charter])
  }

  @Test func `The list is empty without charters, and with none of the phase`() async throws {
    #expect(viewModel.charters.isIdle)
    await viewModel.load()
    #expect(viewModel.charters.isEmpty)
    _ = try await fixture.charter("past", from: .day(6, 1))
    await waitUntil { viewModel.charters.data?.count == 1 }
    await viewModel.show(.upcoming, matching: "")
    #expect(viewModel.charters.isEmpty)
  }

  @Test func `Unreadable charters are reported until they are repaired or deleted`() async throws {
    let charter = try await fixture.charter()
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    await viewModel.load()
    let error = AppError.database(
      .unreadable(StoredPlace(table: "charters", column: "crew", row: charter.id.uuidString)))
    #expect(viewModel.notices == [error])
    // A charter exists but cannot be shown, so the list is not empty.
    #expect(viewModel.charters == .loaded([]))
    try await fixture.run("UPDATE charters SET crew = '[]'")
    await waitUntil { viewModel.charters.data == [charter] }
    #expect(viewModel.notices == [])
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    await waitUntil { viewModel.notices == [error] }
    try await fixture.repository.deleteCharter(charter.id)
    await waitUntil { viewModel.charters.isEmpty && viewModel.notices.isEmpty }
  }

  @Test func `A deleted charter disappears from the list`() async throws {
    let charter = try await fixture.charter()
    await viewModel.load()
    try await fixture.repository.deleteCharter(charter.id)
    await waitUntil { viewModel.charters.isEmpty }
  }

  @Test func `A failure to refresh is shown beside the charters`() async throws {
    let charter = try await fixture.charter()
    await viewModel.load()
    await fixture.database.database.close()
    await viewModel.refresh()
    await waitUntil { viewModel.notices == Array(repeating: .database(.readFailed), count: 2) }
    #expect(viewModel.charters.data == [charter])
  }

  @Test func `A refresh shows new charters without reading observed lists again`() async throws {
    let first = try await fixture.charter("First")
    await viewModel.load()
    let before = fixture.log.count
    #expect(await viewModel.refresh())
    #expect(fixture.log.count == before)
    let second = try await fixture.charter("Second")
    #expect(await viewModel.refresh())
    #expect(viewModel.count(of: .all) == 2)
    await waitUntil { Set(viewModel.charters.data?.map(\.id) ?? []) == [first.id, second.id] }
    #expect(fixture.log.dropFirst(before).count { $0 == "info fetchCharters completed" } == 1)
  }

  @Test func `The active charter is first among all, and also in the list of its phase`()
    async throws
  {
    for (name, day) in [("past", 1), ("future", 20), ("present", 10)] {
      _ = try await fixture.charter(name, from: .day(6, day))
    }
    await viewModel.load()
    let future = try #require(viewModel.charters.data?.first { $0.name == "future" })
    try await fixture.repository.setActiveCharter(future.id)
    await waitUntil { viewModel.charters.data?.map(\.name) == ["future", "present", "past"] }
    await viewModel.show(.upcoming, matching: "")
    #expect(viewModel.charters.data?.map(\.name) == ["future"])
    #expect(viewModel.count(of: .upcoming) == 1)
    await viewModel.show(.all, matching: "fut")
    #expect(viewModel.charters.data?.map(\.name) == ["future"])
    await viewModel.show(.all, matching: "past")
    #expect(viewModel.charters.data?.map(\.name) == ["past"])
  }

  @Test func `All charters are read page by page across their phases, each once`() async throws {
    for number in 0..<50 {
      _ = try await fixture.charter(
        "\(number)", from: .day(5, 1).addingTimeInterval(86_400 * Double(number)))
    }
    await viewModel.load()
    #expect(viewModel.charters.data?.count == 20)
    #expect(viewModel.canLoadMore)
    let last = try #require(viewModel.charters.data?.last)
    await viewModel.loadMoreIfNeeded(current: last)
    #expect(viewModel.charters.data?.count == 40)
    await viewModel.loadMore()
    #expect(viewModel.charters.data?.count == 50)
    #expect(!viewModel.canLoadMore)
    #expect(Set(viewModel.charters.data?.map(\.id) ?? []).count == 50)
    let other = CharterListViewModel(
      store: CharterStore(
        repository: fixture.repository, now: { .day(6, 12) }, calendar: { .utc }))
    await other.load(pageCount: 3)
    #expect(other.charters == viewModel.charters)
  }

  @Test func `A search finds words in any spelling, and the latest search is the one shown`()
    async throws
  {
    for name in ["Šibenik", "Split", "Zadar"] { _ = try await fixture.charter(name) }
    await viewModel.load()
    await viewModel.show(.all, matching: "sibenik")
    #expect(viewModel.charters.data?.map(\.name) == ["Šibenik"])
    #expect(viewModel.isSearching)
    // Each task starts running before the next line.
    let first = Task.immediate { await viewModel.show(.all, matching: "split") }
    let second = Task.immediate { await viewModel.show(.all, matching: "zadar") }
    await first.value
    await second.value
    #expect(viewModel.charters.data?.map(\.name) == ["Zadar"])
    await viewModel.show(.all, matching: "nowhere")
    #expect(viewModel.charters.isEmpty)
  }

  @Test func `The list is updated at midnight`() async throws {
    let charter = try await fixture.charter("last day", from: .day(6, 5))
    await viewModel.load()
    #expect(viewModel.phase(of: charter) == .inProgress)
    await viewModel.show(.inProgress, matching: "")
    fixture.now = .day(6, 13)
    await CharterListViewModel(store: store).load()
    await waitUntil { viewModel.charters.isEmpty }
    #expect(viewModel.phase(of: charter) == .past)
    await waitUntil { viewModel.count(of: .past) == 1 }
  }

  @Test func `The view model is released while it observes`() async throws {
    weak var released: CharterListViewModel?
    do {
      let viewModel = CharterListViewModel(store: store)
      await viewModel.load()
      released = viewModel
    }
    #expect(released == nil)
  }
}
