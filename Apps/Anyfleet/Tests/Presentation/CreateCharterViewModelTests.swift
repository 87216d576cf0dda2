import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CreateCharterViewModelTests {
  private let fixture: Fixture
  private let store: CharterStore

  init() throws {
    let fixture = try Fixture()
    self.fixture = fixture
    store = CharterStore(
      repository: fixture.repository, now: { fixture.now })
  }

  private var complete: CharterFormState {
    var form = CharterFormState()
    form.name = "Kornati"
    form.startDate = .day(7, 1)
    form.endDate = .day(7, 8)
    form.region = "Dalmatia"
    form.vessel = "Alma"
    form.destination = "Split"
    form.crew = [CrewMember(name: "Ada", role: .skipper)]
    form.budget = CharterBudget(amount: 2000, currencyCode: "EUR")
    return form
  }

  private func viewModel(
    _ form: CharterFormState, saved: @escaping @MainActor (CharterModel) -> Void = { _ in }
  ) -> CreateCharterViewModel {
    let viewModel = CreateCharterViewModel(store: store, saved: saved)
    viewModel.form = form
    return viewModel
  }

  @Test func `A complete form is saved with all it has, and goes back to the list`() async throws {
    var back: [CharterModel] = []
    let viewModel = viewModel(complete) { back.append($0) }
    let charter = try #require(await viewModel.saveCharter())
    #expect(CharterFormState(charter) == complete)
    #expect(try await fixture.repository.fetchAllCharters() == [charter])
    #expect(viewModel.validationErrors == [])
    #expect(viewModel.savedCharter == charter)
    #expect(back == [charter])
  }

  @Test func `What is empty and may be is advised against, and stored as none`() async throws {
    var form = complete
    form.vessel = " "
    form.destination = ""
    let viewModel = viewModel(form)
    let charter = try #require(await viewModel.saveCharter())
    #expect(viewModel.validationErrors == [.emptyDestination, .emptyVessel])
    #expect(charter.boatName == nil)
    #expect(charter.location == nil)
  }

  @Test func `What is wrong keeps the charter from being saved, and what was entered is kept`()
    async throws
  {
    var form = complete
    form.name = " \n"
    form.endDate = .day(6, 30)
    let viewModel = viewModel(form)
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.validationErrors == [.emptyName, .invalidDateRange])
    #expect(viewModel.form == form)
    #expect(!viewModel.isSaving)
    #expect(try await fixture.count("charters") == 0)
    viewModel.form = complete
    #expect(await viewModel.saveCharter() != nil)
    #expect(viewModel.validationErrors == [])
  }

  @Test func `Saving twice at once stores one charter, and so does saving once more`() async throws
  {
    let viewModel = viewModel(complete)
    async let first = viewModel.saveCharter()
    async let second = viewModel.saveCharter()
    let saved = try #require(await first)
    #expect(await second == saved)
    #expect(await viewModel.saveCharter() == saved)
    #expect(try await fixture.count("charters") == 1)
  }

  @Test func `The same form in another place stores no second charter`() async throws {
    let first = viewModel(complete)
    let second = CreateCharterViewModel(
      store: store, charterID: first.charterID)
    second.form = complete
    async let one = first.saveCharter()
    async let other = second.saveCharter()
    let saved = try #require(await one)
    #expect(await other == saved)
    #expect(saved.id == first.charterID)
    #expect(try await fixture.count("charters") == 1)
  }

  @Test func `A form that is changed after it was saved is a new charter`() async throws {
    let viewModel = viewModel(complete)
    let first = try #require(await viewModel.saveCharter())
    viewModel.form.name = ""
    #expect(await viewModel.saveCharter() == nil)
    viewModel.form = complete
    #expect(await viewModel.saveCharter() == first)
    viewModel.form.name = "Next year"
    let second = try #require(await viewModel.saveCharter())
    #expect(second.id != first.id)
    #expect(await viewModel.saveCharter() == second)
    #expect(
      try await fixture.repository.fetchAllCharters().map(\.name).sorted() == [
        "Kornati", "Next year",
      ])
  }

  @Test func `Another charter under an id that is taken is said, and stored when asked again`()
    async throws
  {
    let first = try #require(await viewModel(complete).saveCharter())
    let viewModel = CreateCharterViewModel(store: store, charterID: first.id)
    viewModel.form = complete
    viewModel.form.name = "Next year"
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.earlierCharter == first)
    #expect(viewModel.saveError == nil)
    #expect(viewModel.form.name == "Next year")
    #expect(try await fixture.repository.fetchAllCharters() == [first])
    #expect(await viewModel.saveCharter()?.name == "Next year")
    #expect(viewModel.earlierCharter == nil)
    #expect(try await fixture.count("charters") == 2)
  }

  @Test func `A failure is shown, and saving again may succeed`() async throws {
    try await fixture.run(
      "CREATE TRIGGER refuse BEFORE INSERT ON charters BEGIN SELECT raise(ABORT, 'x'); END")
    let viewModel = viewModel(complete)
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.saveError == .database(.writeFailed))
    #expect(!viewModel.isSaving)
    try await fixture.run("DROP TRIGGER refuse")
    #expect(await viewModel.saveCharter() != nil)
    #expect(viewModel.saveError == nil)
  }

  @Test func `The charter gets the checklists that are chosen, also where that failed once`()
    async throws
  {
    let (first, second) = (try await fixture.checklist("A"), try await fixture.checklist("B"))
    let library = LibraryStore(repository: fixture.repository)
    let viewModel = CreateCharterViewModel(store: store, library: library)
    await viewModel.load()
    #expect(viewModel.checklists.map(\.id) == [first.id, second.id])
    viewModel.chooseAllChecklists()
    viewModel.checklistIDs.remove(first.id)
    viewModel.form = complete
    try await fixture.run(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON charterChecklists
      BEGIN SELECT raise(ABORT, 'x'); END
      """)
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.saveError == .database(.writeFailed))
    #expect(try await fixture.count("charters") == 0)
    try await fixture.run("DROP TRIGGER refuse")
    let charter = try #require(await viewModel.saveCharter())
    #expect(try await fixture.count("charters") == 1)
    let assigned = try await fixture.repository.fetchCharterChecklists(charter.id)
    #expect(assigned.map(\.checklistID) == [second.id])
  }

  @Test func `A chosen checklist that is gone is said, and nothing is stored`() async throws {
    let checklist = try await fixture.checklist()
    let library = LibraryStore(repository: fixture.repository)
    let viewModel = CreateCharterViewModel(store: store, library: library)
    await viewModel.load()
    (viewModel.form, viewModel.checklistIDs) = (complete, [checklist.id])
    try await library.delete(Checklist.self, checklist.id)
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.isChecklistGone && viewModel.saveError == nil)
    #expect(try await fixture.count("charters") == 0)
    #expect(viewModel.checklistIDs == [])
    #expect(await viewModel.saveCharter() != nil)
    #expect(!viewModel.isChecklistGone)
  }

  @Test func `A library that failed to load is said, and can be loaded again`() async throws {
    let checklist = try await fixture.checklist()
    let library = LibraryStore(repository: fixture.repository)
    let viewModel = CreateCharterViewModel(store: store, library: library)
    try await fixture.run("ALTER TABLE checklists RENAME TO away")
    await viewModel.load()
    #expect(viewModel.notices.count == 1)
    try await fixture.run("ALTER TABLE away RENAME TO checklists")
    await viewModel.load()
    #expect(viewModel.notices == [])
    #expect(viewModel.checklists == [checklist])
  }

  @Test func `Those of the crew without a name are left out, and advice comes with the form`()
    async throws
  {
    var form = complete
    form.crew = [.init(name: " ", role: .guest), .init(name: " Ada ", role: .skipper)]
    form.vessel = ""
    let viewModel = viewModel(form)
    #expect(viewModel.advice == [.emptyVessel])
    let charter = try #require(await viewModel.saveCharter())
    #expect(charter.crew == [CrewMember(name: "Ada", role: .skipper)])
  }

  @Test func `It is released`() async throws {
    weak var released: CreateCharterViewModel?
    do {
      let viewModel = viewModel(complete)
      await viewModel.saveCharter()
      released = viewModel
    }
    #expect(released == nil)
  }

  @Test func `Completion counts six steps`() {
    let viewModel = viewModel(CharterFormState())
    #expect(viewModel.missingSteps == [.name, .startDate, .endDate, .region, .vessel])
    #expect(viewModel.completionProgress == 1.0 / 6)
    viewModel.form = complete
    #expect(viewModel.missingSteps == [])
    #expect(viewModel.completionProgress == 1)
    viewModel.form.guests = 0
    #expect(viewModel.missingSteps == [.guests])
  }
}

struct CharterFormValidationTests {
  private func issues(_ change: (inout CharterFormState) -> Void) -> [CharterFormValidation] {
    var form = CharterFormState()
    form.name = "Kornati"
    form.startDate = .day(7, 1)
    form.endDate = .day(7, 8)
    form.vessel = "Alma"
    form.destination = "Split"
    change(&form)
    return CharterFormValidation.issues(in: form)
  }

  @Test func `A good form has no issue`() { #expect(issues { _ in } == []) }

  @Test func `A name needs a character besides space, and may have 80`() {
    #expect(issues { $0.name = "" } == [.emptyName])
    #expect(issues { $0.name = " \t\n " } == [.emptyName])
    #expect(issues { $0.name = String(repeating: "é", count: 80) + " " } == [])
    #expect(issues { $0.name = String(repeating: "é", count: 81) } == [.nameTooLong])
  }

  @Test func `Days in UTC decide whether the end lies before the start`() {
    #expect(issues { $0.endDate = .day(7, 1).addingTimeInterval(-12 * 3600) } == [])
    #expect(
      issues { $0.endDate = .day(7, 1).addingTimeInterval(-12 * 3600 - 1) } == [.invalidDateRange])
    #expect(issues { $0.endDate = .day(6, 30) } == [.invalidDateRange])
    #expect(issues { $0.startDate = nil } == [.missingStartDate])
    #expect(issues { $0.endDate = nil } == [.missingEndDate])
    #expect(CharterFormValidation.missingStartDate.field == "startDate")
    #expect(CharterFormValidation.missingEndDate.field == "endDate")
  }

  @Test func `A boat's name may have 80 characters, a destination and a region 120`() {
    func text(_ count: Int) -> String { String(repeating: "é", count: count) }
    #expect(issues { $0.vessel = text(80) + " " } == [])
    #expect(issues { $0.vessel = text(81) } == [.vesselTooLong])
    #expect(issues { $0.destination = text(120) + " " } == [])
    #expect(issues { $0.destination = text(121) } == [.destinationTooLong])
    #expect(issues { $0.region = text(120) + " " } == [])
    #expect(issues { $0.region = text(121) } == [.regionTooLong])
    #expect(CharterFormValidation.vesselTooLong.error == .tooLong(field: "vessel", maximum: 80))
    #expect(
      CharterFormValidation.destinationTooLong.message.in(.english)
        == "Destination may have at most 120 characters.")
  }

  @Test func `Guests are within limits, and a budget is possible`() {
    #expect(issues { $0.guests = 0 } == [.guestsOutOfRange])
    #expect(issues { $0.guests = 1 } == [])
    #expect(issues { $0.guests = 12 } == [])
    #expect(issues { $0.guests = 13 } == [.guestsOutOfRange])
    #expect(issues { $0.budget = .init(amount: -1, currencyCode: "EUR") } == [.invalidBudget])
    #expect(issues { $0.budget = .init(amount: 0, currencyCode: "EUR") } == [])
    #expect(issues { $0.budget = .init(amount: .nan, currencyCode: "EUR") } == [.invalidBudget])
    #expect(issues { $0.budget = .init(amount: 1, currencyCode: "euro") } == [.invalidCurrency])
    #expect(
      issues { $0.budget = .init(amount: -1, currencyCode: "") } == [
        .invalidBudget, .invalidCurrency,
      ])
    let long = CrewMember(name: String(repeating: "é", count: 81), role: .crew)
    #expect(issues { $0.crew = [long] } == [.crewNameTooLong])
  }

  @Test func `Only a destination and a vessel may be left out, and each issue has a sentence`() {
    for issue in CharterFormValidation.allCases {
      #expect(issue.isBlocking == (issue != .emptyDestination && issue != .emptyVessel))
      for language in Language.allCases { #expect(issue.message.in(language).hasSuffix(".")) }
      #expect(!issue.field.isEmpty)
    }
    #expect(CharterFormValidation.emptyName.error == .emptyName)
    #expect(CharterFormValidation.nameTooLong.error == .tooLong(field: "name", maximum: 80))
    #expect(
      CharterFormValidation.guestsOutOfRange.message.in(.english) == "Guests can be from 1 to 12.")
  }
}
