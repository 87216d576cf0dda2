import Foundation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// The notes and issues of items while a checklist is run.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistRemarksTests {
  @Test func `Note and issue show at once, and are stored when the view model has settled`()
    async throws
  {
    let run = try await ChecklistRun()
    let (viewModel, item) = (await run.loaded(), run.item(1))
    let gate = Gate()
    run.double.beforeSave { await gate.pass() }
    viewModel.setNote(item, to: "  Torn at the clew \n")
    viewModel.setIssue(item, to: .damaged)
    #expect(viewModel.remarks(of: item).note == "Torn at the clew")
    #expect(viewModel.remarks(of: item).issue == .damaged)
    await gate.waitForArrivals(2)
    gate.open()
    await viewModel.settled()
    let stored = try await run.state()?.itemStates[item]
    #expect(stored?.note == "Torn at the clew")
    #expect(stored?.issue == .damaged)
    #expect(viewModel.checkedItems.isEmpty)
  }

  @Test func `Opening the checklist again restores note and issue, in that charter only`()
    async throws
  {
    let run = try await ChecklistRun()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    viewModel.setNote(item, to: "Rusty")
    viewModel.setIssue(item, to: .issue)
    await viewModel.settled()
    let again = await run.loaded()
    #expect(again.remarks(of: item).note == "Rusty")
    #expect(again.remarks(of: item).issue == .issue)
    let elsewhere = run.makeScreen(in: try await run.fixture.charter("Other"))
    await elsewhere.load()
    #expect(elsewhere.remarks(of: item).note == nil)
    #expect(elsewhere.remarks(of: item).issue == nil)
  }

  @Test func `Clearing note and issue removes the stored values`() async throws {
    let run = try await ChecklistRun()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    viewModel.setNote(item, to: "Rusty")
    viewModel.setIssue(item, to: .ok)
    await viewModel.settled()
    viewModel.setNote(item, to: " \n ")
    viewModel.setIssue(item, to: nil)
    #expect(viewModel.remarks(of: item).note == nil)
    #expect(viewModel.remarks(of: item).issue == nil)
    await viewModel.settled()
    #expect(viewModel.remarks(of: item).note == nil)
    #expect(viewModel.remarks(of: item).issue == nil)
    // The row stays, so that changes of other members to the item stay.
    #expect(try await run.fixture.count("checklistItemNotes") == 1)
  }

  @Test func `After rapid changes of one note, the last one is stored`() async throws {
    let run = try await ChecklistRun()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    let gate = Gate()
    run.double.beforeSave { await gate.pass() }
    viewModel.setNote(item, to: "T")
    await gate.waitForArrivals()
    for text in ["To", "Tor", "Torn"] { viewModel.setNote(item, to: text) }
    #expect(viewModel.remarks(of: item).note == "Torn")
    gate.open()
    await viewModel.settled()
    #expect(viewModel.remarks(of: item).note == "Torn")
    #expect(try await run.state()?.itemStates[item]?.note == "Torn")
  }

  @Test
  func `Nothing is stored before the checklist is loaded, or for items that it does not contain`()
    async throws
  {
    let run = try await ChecklistRun()
    let viewModel = run.makeScreen()
    viewModel.setNote(run.item(0), to: "Early")
    viewModel.setIssue(run.item(0), to: .ok)
    await viewModel.load()
    viewModel.setNote(UUID(), to: "Nowhere")
    viewModel.setIssue(UUID(), to: .ok)
    await viewModel.settled()
    #expect(try await run.fixture.count("checklistExecutionStates") == 0)
    #expect(viewModel.unsavedItems.isEmpty)
  }

  // MARK: - Failing

  @Test
  func `After a failed save exactly the former values are restored, and the failure is reported`()
    async throws
  {
    let run = try await ChecklistRun()
    let (viewModel, item, other) = (await run.loaded(), run.item(0), run.item(1))
    viewModel.setNote(item, to: "Before")
    viewModel.setIssue(item, to: .ok)
    await viewModel.settled()
    run.double.beforeSave { throw RepositoryError.databaseUnavailable }
    viewModel.setNote(item, to: "After")
    viewModel.setIssue(item, to: .missing)
    viewModel.setIssue(other, to: .damaged)
    #expect(viewModel.remarks(of: item).note == "After")
    await viewModel.settled()
    #expect(viewModel.remarks(of: item).note == "Before")
    #expect(viewModel.remarks(of: item).issue == .ok)
    #expect(viewModel.remarks(of: other).issue == nil)
    for edit in [ItemEdit.ID.note(item), .issue(item), .issue(other)] {
      #expect(viewModel.error(of: edit) == .database(.writeFailed))
    }
    #expect(viewModel.error(of: .tick(item)) == nil)
    #expect(viewModel.unsavedItems == [item, other])
  }

  @Test func `Text that could not be saved stays as a draft, and can be saved again`() async throws
  {
    let run = try await ChecklistRun()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    run.double.beforeSave { throw RepositoryError.databaseUnavailable }
    viewModel.setNote(item, to: "After")
    viewModel.setIssue(item, to: .missing)
    await viewModel.settled()
    #expect(viewModel.draft(of: item).note == "After")
    #expect(viewModel.draft(of: item).issue == .missing)
    run.double.beforeSave {}
    viewModel.setNote(item, to: viewModel.draft(of: item).note)
    viewModel.setIssue(item, to: viewModel.draft(of: item).issue)
    #expect(viewModel.unsavedItems.isEmpty)
    await viewModel.settled()
    #expect(viewModel.remarks(of: item).note == "After")
    #expect(viewModel.remarks(of: item).issue == .missing)
    #expect(viewModel.draft(of: item).note == "After")
    #expect(try await run.state()?.itemStates[item]?.issue == .missing)
  }

  @Test func `A draft preserves a cleared value that could not be saved`() async throws {
    let run = try await ChecklistRun()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    viewModel.setNote(item, to: "Before")
    viewModel.setIssue(item, to: .ok)
    await viewModel.settled()
    run.double.beforeSave { throw RepositoryError.databaseUnavailable }
    viewModel.setNote(item, to: "")
    viewModel.setIssue(item, to: nil)
    await viewModel.settled()
    #expect(viewModel.draft(of: item).note == nil)
    #expect(viewModel.draft(of: item).issue == nil)
    #expect(viewModel.remarks(of: item).note == "Before")
    #expect(viewModel.remarks(of: item).issue == .ok)
  }

  @Test func `A note that is too long is refused, and stays in its field`() async throws {
    let run = try await ChecklistRun()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    let limit = ChecklistExecutionViewModel.maximumNoteLength
    let longest = String(repeating: "ё", count: limit)
    viewModel.setNote(item, to: longest)
    await viewModel.settled()
    viewModel.setNote(item, to: longest + "!")
    await viewModel.settled()
    #expect(
      viewModel.error(of: .note(item)) == .validation(.tooLong(field: "note", maximum: limit)))
    #expect(viewModel.remarks(of: item).note == longest)
    #expect(viewModel.draft(of: item).note == longest + "!")
    #expect(try await run.state()?.itemStates[item]?.note == longest)
  }

  // MARK: - Counting

  @Test func `Only issues of the checklist's own items are counted`() async throws {
    let run = try await ChecklistRun(items: 5)
    let viewModel = await run.loaded()
    for (number, issue) in ChecklistItemIssue.allCases.enumerated() {
      viewModel.setIssue(run.item(number), to: issue)
    }
    try await run.fixture.repository.saveItemIssue(
      checklistID: run.checklist.id, charterID: run.charter.id, itemID: UUID(), issue: .missing)
    await viewModel.settled()
    #expect(viewModel.problemCount == 3)
    viewModel.setIssue(run.item(0), to: .damaged)
    #expect(viewModel.problemCount == 4)
  }
}
