import AnyfleetTestSupport
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
    fixture = try Fixture()
    store = fixture.makeCharterStore()
  }

  private var complete: CharterFormState {
    var form = CharterFormState.sample
    form.region = "Dalmatia"
    form.crew = [CrewMember(name: "Ada", role: .skipper)]
    form.budget = CharterBudget(amount: 2000, currencyCode: "EUR")
    return form
  }

  private func viewModel(
    _ form: CharterFormState, saved: @escaping @MainActor (CharterFormState) -> Void = { _ in }
  ) -> CreateCharterViewModel {
    let viewModel = CreateCharterViewModel(store: store, saved: saved)
    viewModel.form = form
    return viewModel
  }

  @Test func `A complete form is saved with all values, and leads back to the list`() async throws {
    var back: [UUID] = []
    let viewModel = viewModel(complete) { back.append($0.id) }
    let form = try #require(await viewModel.saveCharter())
    let charter = try await store.fetchCharter(form.id)
    #expect(CharterFormState(charter) == form && viewModel.form == form)
    #expect(form.name == "Kornati" && form.startDate == .day(7, 1) && form.endDate == .day(7, 8))
    #expect(form.region == "Dalmatia" && form.vessel == "Alma" && form.destination == "Split")
    #expect(form.crew == complete.crew && form.budget == complete.budget && form.guests == 6)
    #expect(viewModel.validationErrors == [])
    #expect(back == [charter.id])
  }

  @Test func `Optional values that are empty are warned about, and stored as nil`() async throws {
    var form = complete
    form.vessel = " "
    form.destination = ""
    let viewModel = viewModel(form)
    let saved = try #require(await viewModel.saveCharter())
    #expect(viewModel.validationErrors == [.emptyDestination, .emptyVessel])
    let charter = try await store.fetchCharter(saved.id)
    #expect(charter.boatName == nil)
    #expect(charter.location == nil)
  }

  @Test func `Invalid values prevent saving, and the input is preserved`()
    async throws
  {
    var form = complete
    form.name = " \n"
    form.endDate = .day(6, 30)
    let viewModel = viewModel(form)
    #expect(await viewModel.saveCharter() == nil)
    #expect(Set(viewModel.validationErrors) == [.emptyName, .invalidDateRange])
    #expect(viewModel.form.endDate == .day(6, 30) && viewModel.form.region == "Dalmatia")
    #expect(!viewModel.isSaving)
    #expect(try await fixture.count("charters") == 0)
    viewModel.form = complete
    #expect(await viewModel.saveCharter() != nil)
    #expect(viewModel.validationErrors == [])
  }

  @Test func `Saving twice, at once or later, stores one charter`() async throws {
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
    let second = CreateCharterViewModel(store: store, charterID: first.draft.id)
    second.form = complete
    async let one = first.saveCharter()
    async let other = second.saveCharter()
    let saved = try #require(await one)
    #expect(await other == saved)
    #expect(saved.id == first.draft.id)
    #expect(try await fixture.count("charters") == 1)
  }

  @Test func `Saving a form that was changed after it was saved creates another charter`()
    async throws
  {
    var back: [UUID] = []
    let viewModel = viewModel(complete) { back.append($0.id) }
    let first = try #require(await viewModel.saveCharter())
    viewModel.form.name = ""
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.validationErrors == [.emptyName])
    viewModel.form = complete
    let again = try #require(await viewModel.saveCharter())
    #expect(again == first && again.id == first.id && viewModel.validationErrors == [])
    viewModel.form.name = "Next year"
    let second = try #require(await viewModel.saveCharter())
    #expect(second.id != first.id && viewModel.earlierCharter == nil)
    #expect(await viewModel.saveCharter()?.id == second.id)
    #expect(back == [first.id, second.id])
    #expect(
      try await fixture.repository.fetchAllCharters().map(\.name).sorted() == [
        "Kornati", "Next year",
      ])
  }

  @Test func `A form does not store a charter again that was saved and then deleted`() async throws
  {
    let viewModel = viewModel(complete)
    let saved = try #require(await viewModel.saveCharter())
    try await store.deleteCharter(saved.id)
    #expect(await viewModel.saveCharter() == saved)
    #expect(try await fixture.count("charters") == 0)
  }

  @Test
  func `An id that belongs to another charter is reported, and saving again creates a new charter`()
    async throws
  {
    let first = try #require(await viewModel(complete).saveCharter())
    let viewModel = CreateCharterViewModel(store: store, charterID: first.id)
    viewModel.form = complete
    viewModel.form.name = "Next year"
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.earlierCharter == first && viewModel.earlierCharter?.id == first.id)
    #expect(viewModel.saveError == nil)
    #expect(viewModel.form.name == "Next year")
    #expect(try await fixture.repository.fetchAllCharters().map(\.name) == ["Kornati"])
    let second = try #require(await viewModel.saveCharter())
    #expect(second.name == "Next year" && second.id != first.id)
    #expect(viewModel.earlierCharter == nil)
    #expect(try await fixture.count("charters") == 2)
  }

  @Test func `Values that are set leave other texts and the instants within the days`()
    async throws
  {
    var form = complete
    form.startDate = .day(7, 1).addingTimeInterval(-3 * 3600)
    let viewModel = viewModel(form)
    #expect(viewModel.form == form)
    viewModel.draft["budget"] = "much"
    viewModel.draft["endDate"] = "2027-07"
    viewModel.form.name = "Next year"
    #expect(viewModel.draft["budget"] == "much" && viewModel.draft["endDate"] == "2027-07")
    #expect(viewModel.form.name == "Next year" && viewModel.form.startDate == form.startDate)
    #expect(await viewModel.saveCharter() == nil)
    viewModel.form = form
    viewModel.draft["budget"] = "2000"
    let saved = try #require(await viewModel.saveCharter())
    let charter = try await store.fetchCharter(saved.id)
    #expect(charter.startDate == form.startDate && charter.endDate == form.endDate)
    #expect(CharterFormState() == CharterFormState())
  }

  @Test func `A failure is shown, and saving again can succeed`() async throws {
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

  @Test func `The charter gets the chosen checklists, even after a failed attempt`()
    async throws
  {
    let (first, second) = (try await fixture.checklist("A"), try await fixture.checklist("B"))
    let library = LibraryStore(repository: fixture.repository)
    let viewModel = CreateCharterViewModel(store: store, library: library)
    await viewModel.draft.load()
    #expect(viewModel.form.checklistIDs == [first.id, second.id])
    viewModel.form = complete
    viewModel.form.checklistIDs = [second.id]
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

  @Test func `A form that is sent again with other checklists creates another charter`()
    async throws
  {
    let (first, second) = (try await fixture.checklist("A"), try await fixture.checklist("B"))
    let library = LibraryStore(repository: fixture.repository)
    func filled(_ id: UUID? = nil, _ checklists: Checklist...) async -> CreateCharterViewModel {
      let viewModel = CreateCharterViewModel(store: store, charterID: id, library: library)
      await viewModel.draft.load()
      viewModel.form = complete
      viewModel.form.checklistIDs = Set(checklists.map(\.id))
      return viewModel
    }
    let opened = await filled(nil, first)
    let charter = try #require(await opened.saveCharter())
    let again = await filled(charter.id, first)
    #expect(await again.saveCharter()?.id == charter.id)
    // The page of another tab reports that this form created a charter before.
    let elsewhere = await filled(charter.id, first, second)
    #expect(await elsewhere.saveCharter() == nil)
    #expect(elsewhere.earlierCharter?.id == charter.id)
    #expect(elsewhere.form.checklistIDs == [first.id, second.id])
    #expect(try await fixture.count("charters") == 1)
    let another = try #require(await elsewhere.saveCharter())
    // On the same page, saving creates another charter at once.
    opened.form.checklistIDs = [second.id]
    let third = try #require(await opened.saveCharter())
    let repository = fixture.repository
    #expect(try await repository.fetchChecklistIDs(ofCharter: charter.id) == [first.id])
    #expect(
      try await repository.fetchChecklistIDs(ofCharter: another.id) == [first.id, second.id])
    #expect(try await repository.fetchChecklistIDs(ofCharter: third.id) == [second.id])
  }

  @Test func `A chosen checklist that was deleted is reported, and nothing is stored`() async throws
  {
    let checklist = try await fixture.checklist()
    let library = LibraryStore(repository: fixture.repository)
    let viewModel = CreateCharterViewModel(store: store, library: library)
    await viewModel.draft.load()
    viewModel.form = complete
    viewModel.form.checklistIDs = [checklist.id]
    try await library.delete(Checklist.self, checklist.id)
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.validationErrors == [.invalid(field: "checklists")])
    #expect(viewModel.saveError == nil)
    #expect(try await fixture.count("charters") == 0)
    #expect(viewModel.form.checklistIDs == [])
    #expect(await viewModel.saveCharter() != nil)
    #expect(viewModel.validationErrors == [])
  }

  @Test func `A library that failed to load leaves the form without checklists until it loads`()
    async throws
  {
    let checklist = try await fixture.checklist()
    let library = LibraryStore(repository: fixture.repository)
    let viewModel = CreateCharterViewModel(store: store, library: library)
    try await fixture.run("ALTER TABLE checklists RENAME TO away")
    await viewModel.draft.load()
    #expect(viewModel.form.checklistIDs == [] && library.checklists.errorValue != nil)
    try await fixture.run("ALTER TABLE away RENAME TO checklists")
    await library.loadIfNeeded(Checklist.self)
    let field = viewModel.draft.fields.first { $0.name == "checklists" }
    guard case .choices(let choices)? = field?.control.kind else {
      Issue.record("The form has no field of the checklists.")
      return
    }
    #expect(choices().map(\.value) == [checklist.id.uuidString])
  }

  @Test func `Crew members without a name are left out`() async throws {
    var form = complete
    form.crew = [.init(name: " ", role: .guest), .init(name: " Ada ", role: .skipper)]
    let charter = try #require(await viewModel(form).saveCharter())
    #expect(charter.crew == [CrewMember(name: "Ada", role: .skipper)])
  }

  @Test func `The view model is released`() async throws {
    weak var released: CreateCharterViewModel?
    weak var draft: Draft<CharterFormState>?
    do {
      let viewModel = viewModel(complete)
      await viewModel.saveCharter()
      (released, draft) = (viewModel, viewModel.draft)
    }
    #expect(released == nil && draft == nil)
  }
}
