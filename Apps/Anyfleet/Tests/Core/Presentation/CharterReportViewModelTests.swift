import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterReportViewModelTests {
  private let fixture: Fixture
  private let store: CharterStore

  init() throws {
    fixture = try Fixture()
    store = CharterStore(repository: fixture.repository, now: { .day(6, 9) }, calendar: { .utc })
  }

  private func viewModel(
    _ id: UUID, _ repository: any CharterChecklistRepository
  ) -> CharterReportViewModel {
    CharterReportViewModel(
      charterID: id, charterStore: store, checklistRepository: repository,
      executionRepository: fixture.repository)
  }

  @Test func `The list has the charter's checklists with the state of each item`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let items = checklist.items.map(\.id)
    try await fixture.repository.assignChecklist(checklist.id, toCharter: charter.id)
    try await fixture.tick(0, of: checklist, in: charter)
    try await fixture.repository.saveItemIssue(
      checklistID: checklist.id, charterID: charter.id, itemID: items[1], issue: .damaged)
    try await fixture.repository.saveItemIssue(
      checklistID: checklist.id, charterID: charter.id, itemID: items[2], issue: .ok)
    let viewModel = viewModel(charter.id, FlakyRepository(fixture.repository, failsParts: true))
    await viewModel.load()
    #expect(viewModel.parts.isRetryable)
    await viewModel.load()
    #expect(viewModel.charter.data == charter)
    #expect(viewModel.date == .day(6, 9))
    let part = try #require(viewModel.parts.data?.first)
    #expect(part.progress.checkedCount == 1)
    #expect(part.itemStates[items[0]]?.checkedAt == fixture.now)
    #expect(part.problems.map(\.id) == [items[1]])
    #expect(viewModel.notices == [])
  }

  @Test func `The list is released while it observes`() async throws {
    let charter = try await fixture.charter()
    weak var released: CharterReportViewModel?
    do {
      let viewModel = viewModel(charter.id, fixture.repository)
      await viewModel.load()
      #expect(viewModel.parts.isEmpty)
      released = viewModel
    }
    #expect(released == nil)
  }
}
