import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct EditCharterViewModelTests {
  private let fixture: Fixture
  private let store: CharterStore

  init() throws {
    let fixture = try Fixture()
    self.fixture = fixture
    store = CharterStore(
      repository: fixture.repository, now: { fixture.now }, calendar: { .utc })
  }

  private func viewModel(
    _ id: UUID, saved: @escaping @MainActor (CharterModel) -> Void = { _ in }
  ) -> EditCharterViewModel {
    EditCharterViewModel(charterID: id, store: store, saved: saved)
  }

  @Test func `What failed to load is loaded when the screen loads again`() async throws {
    let charter = try await fixture.charter()
    let store = CharterStore(repository: FailingFirst(fixture.repository, failsParts: true))
    let viewModel = EditCharterViewModel(charterID: charter.id, store: store)
    await viewModel.load()
    #expect(viewModel.charter.isRetryable)
    #expect(await viewModel.saveCharter() == nil)
    await viewModel.load()
    #expect(viewModel.charter.data == charter)
    #expect(viewModel.form == CharterFormState(charter))
  }

  /// A screen that was opened, and the charter as somebody else stored it since.
  private func overtaken(
    _ change: @escaping @Sendable (inout CharterModel) -> Void
  ) async throws -> EditCharterViewModel {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    try await fixture.repository.changeCharter(charter.id, by: change)
    return viewModel
  }

  @Test func `Of a field that both changed the second to save is told, and decides`() async throws {
    let viewModel = try await overtaken {
      $0.name = "Theirs"
      $0.region = "Dalmatia"
    }
    viewModel.form.name = "Mine"
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.saveError == .sync(.conflict))
    #expect(viewModel.form.name == "Mine" && viewModel.form.region == "Dalmatia")
    #expect(try await store.fetchCharter(viewModel.charterID).name == "Theirs")
    let saved = try #require(await viewModel.saveCharter())
    #expect(saved.name == "Mine" && saved.region == "Dalmatia")
  }

  @Test func `Days that were moved meanwhile are no half of a stay`() async throws {
    let viewModel = try await overtaken {
      ($0.startDate, $0.endDate) = (.day(7, 6), .day(7, 13))
    }
    viewModel.form.endDate = .day(6, 20)
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.saveError == .sync(.conflict))
    let stored = try await store.fetchCharter(viewModel.charterID)
    #expect(stored.startDate <= stored.endDate)
  }

  @Test func `Two who add to the crew add both, and who is taken away stays away`() async throws {
    let (anna, boris, cem) = (
      CrewMember(name: "A", role: .crew), CrewMember(name: "B", role: .crew),
      CrewMember(name: "C", role: .guest)
    )
    let charter = try await fixture.charter()
    try await fixture.repository.changeCharter(charter.id) { $0.crew = [anna] }
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    try await fixture.repository.changeCharter(charter.id) { $0.crew = [anna, boris] }
    viewModel.form.crew = [cem]
    #expect(await viewModel.saveCharter()?.crew == [boris, cem])
  }

  @Test func `A charter that was deleted meanwhile is not brought back, and what is typed stays`()
    async throws
  {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    viewModel.form.name = "Typed"
    try await store.deleteCharter(charter.id)
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.saveError == .database(.notFound))
    #expect(viewModel.form.name == "Typed")
    #expect(try await fixture.count("charters") == 0)
  }

  @Test func `It shows the charter, saves what was changed, and leads back`() async throws {
    let charter = try await fixture.charter()
    var back: [String] = []
    let viewModel = viewModel(charter.id) { back.append($0.name) }
    #expect(await viewModel.saveCharter() == nil)
    await viewModel.load()
    #expect(viewModel.form == CharterFormState(charter))
    #expect(viewModel.completionProgress == 4.0 / 6)
    #expect(viewModel.missingSteps == [.region, .vessel])
    #expect(viewModel.advice == [.emptyDestination, .emptyVessel])
    viewModel.form.name = " Renamed "
    viewModel.form.crew = [.init(name: "Ada", role: .skipper), .init(name: " ", role: .guest)]
    viewModel.form.budget = CharterBudget(amount: 12, currencyCode: "EUR")
    let saved = try #require(await viewModel.saveCharter())
    #expect(saved.name == "Renamed")
    #expect(saved.crew == [CrewMember(name: "Ada", role: .skipper)])
    #expect(try await store.fetchCharter(charter.id) == saved)
    #expect(back == ["Renamed"])
  }

  @Test func `What others changed in other fields meanwhile stays`() async throws {
    var charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    charter.boatName = "Alma"
    charter.guests = 9
    try await fixture.repository.saveCharter(charter)
    try await fixture.repository.setActiveCharter(charter.id)
    viewModel.form.region = "Dalmatia"
    await viewModel.saveCharter()
    let stored = try await store.fetchCharter(charter.id)
    #expect(stored.boatName == "Alma")
    #expect(stored.guests == 9)
    #expect(stored.region == "Dalmatia")
    #expect(stored.isActive)
  }

  @Test func `What is wrong is said and stores nothing, and a second load keeps what is typed`()
    async throws
  {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    viewModel.form.name = ""
    viewModel.form.endDate = .day(6, 1)
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.validationErrors.filter(\.isBlocking) == [.emptyName, .invalidDateRange])
    await viewModel.load()
    #expect(viewModel.form.name.isEmpty)
    #expect(try await store.fetchCharter(charter.id) == charter)
  }

  @Test func `Saving twice at once saves once`() async throws {
    let charter = try await fixture.charter()
    var count = 0
    let viewModel = viewModel(charter.id) { _ in count += 1 }
    await viewModel.load()
    viewModel.form.name = "Renamed"
    async let first = viewModel.saveCharter()
    async let second = viewModel.saveCharter()
    #expect(await first == second)
    #expect(count == 1)
  }

  @Test func `A failure is said, what was typed stays, and saving again may succeed`() async throws
  {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    viewModel.form.name = "Renamed"
    try await fixture.run(
      "CREATE TRIGGER refuse BEFORE UPDATE ON charters BEGIN SELECT raise(ABORT, 'x'); END")
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.saveError == .database(.writeFailed))
    #expect(viewModel.form.name == "Renamed")
    #expect(try await store.fetchCharter(charter.id) == charter)
    try await fixture.run("DROP TRIGGER refuse")
    #expect(await viewModel.saveCharter()?.name == "Renamed")
    #expect(viewModel.saveError == nil)
  }

  @Test func `A charter that is not there is an error, and one that is gone is not made again`()
    async throws
  {
    let unknown = viewModel(UUID())
    await unknown.load()
    #expect(unknown.charter.errorValue == .database(.notFound))
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    try await store.deleteCharter(charter.id)
    viewModel.form.name = "Renamed"
    #expect(await viewModel.saveCharter() == nil)
    #expect(viewModel.saveError == .database(.notFound))
    #expect(try await fixture.count("charters") == 0)
  }

  @Test func `It is released`() async throws {
    let charter = try await fixture.charter()
    weak var released: EditCharterViewModel?
    do {
      let viewModel = viewModel(charter.id)
      await viewModel.load()
      await viewModel.saveCharter()
      released = viewModel
    }
    #expect(released == nil)
  }
}
