import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterDraftTests {
  private let fixture: Fixture
  private let store: CharterStore

  init() throws {
    fixture = try Fixture()
    store = fixture.makeCharterStore()
  }

  private func draft(_ id: UUID) -> Draft<CharterFormState> {
    CharterDrafts(store, in: .english).draft(of: id)
  }

  /// Types values into a form.
  private func edit(
    _ draft: Draft<CharterFormState>, _ change: (inout CharterFormState) -> Void
  ) {
    var form = draft.validated().entry
    change(&form)
    draft.fill(with: form)
  }

  @Test func `Parts that failed to load are loaded when the screen loads again`() async throws {
    let charter = try await fixture.charter()
    let store = CharterStore(repository: FlakyRepository(fixture.repository, failsParts: true))
    let draft = CharterDrafts(store, in: .english).draft(of: charter.id)
    await draft.load()
    #expect(draft.loadError?.isRetryable == true)
    #expect(await draft.save() == nil)
    await draft.load()
    #expect(draft.isFilled && draft.loadError == nil)
    #expect(draft.validated().entry == CharterFormState(charter))
  }

  /// Creates a form that was opened before another member changed the charter.
  private func overtaken(
    _ change: @escaping @Sendable (inout CharterModel) -> Void
  ) async throws -> Draft<CharterFormState> {
    let charter = try await fixture.charter()
    let draft = self.draft(charter.id)
    await draft.load()
    try await fixture.repository.changeCharter(charter.id, by: change)
    return draft
  }

  @Test
  func
    `If both change a field, the second save is a conflict, and saving again overwrites the first`()
    async throws
  {
    let draft = try await overtaken {
      $0.name = "Theirs"
      $0.region = "Dalmatia"
    }
    edit(draft) { $0.name = "Mine" }
    #expect(await draft.save() == nil)
    #expect(draft.saveError == .sync(.conflict))
    #expect(draft.validated().entry.name == "Mine" && draft.validated().entry.region == "Dalmatia")
    #expect(try await store.fetchCharter(draft.id).name == "Theirs")
    let saved = try #require(await draft.save())
    #expect(saved.name == "Mine" && saved.region == "Dalmatia")
  }

  @Test func `Start and end that were moved meanwhile are not mixed with a new end`() async throws {
    let draft = try await overtaken {
      ($0.startDate, $0.endDate) = (.day(7, 6), .day(7, 13))
    }
    edit(draft) { $0.endDate = .day(6, 20) }
    #expect(await draft.save() == nil)
    #expect(draft.saveError == .sync(.conflict))
    let stored = try await store.fetchCharter(draft.id)
    #expect(stored.startDate <= stored.endDate)
  }

  @Test func `Members added by two users are both stored, and a removed one stays removed`()
    async throws
  {
    let (anna, boris, cem) = (
      CrewMember(name: "A", role: .crew), CrewMember(name: "B", role: .crew),
      CrewMember(name: "C", role: .guest)
    )
    let charter = try await fixture.charter()
    try await fixture.repository.changeCharter(charter.id) { $0.crew = [anna] }
    let draft = self.draft(charter.id)
    await draft.load()
    try await fixture.repository.changeCharter(charter.id) { $0.crew = [anna, boris] }
    edit(draft) { $0.crew = [cem] }
    #expect(await draft.save()?.crew == [boris, cem])
  }

  /// Adds a row with texts under a new id, as the page does.
  private func add(
    _ rows: String, _ texts: [String: String], to draft: Draft<CharterFormState>
  ) throws {
    #expect(draft.change(DraftRowChange(.add, rows)))
    var edited = [DraftRow](text: draft[rows])
    let row = try #require(edited.last)
    edited[edited.count - 1] = DraftRow(id: row.id, texts: row.texts.merging(texts) { $1 })
    draft[rows] = edited.text
  }

  /// Creates the draft of another page, as its form is sent again.
  private func again(_ draft: Draft<CharterFormState>) -> Draft<CharterFormState> {
    let other = self.draft(draft.id)
    let texts = draft.fields.map { ($0.name, draft[$0.name]) }
    other.restore(Dictionary(uniqueKeysWithValues: texts), origins: draft.origins)
    return other
  }

  @Test func `Added, changed and removed rows are saved once, even if they are sent again`()
    async throws
  {
    let charter = try await fixture.charter()
    try await fixture.repository.changeCharter(charter.id) {
      $0.crew = ["Ada", "Ben", "Cem"].map { CrewMember(name: $0, role: .crew) }
      $0.budget = CharterBudget(
        amount: 1200, currencyCode: "EUR", lines: [.init(title: "Fuel", amount: 700)])
    }
    let draft = self.draft(charter.id)
    await draft.load()
    let rows = [DraftRow](text: draft["crew"])
    #expect(draft.change(DraftRowChange(.remove, "crew.\(rows[2].id)")))
    draft["crew"] = draft["crew"].replacing("Ada", with: "Eve ")
    try add("crew", ["name": "Dan", "role": "skipper"], to: draft)
    try add("crew", ["name": " "], to: draft)
    try add("lines", ["title": " Berths", "amount": "500.00"], to: draft)
    let saved = try #require(await again(draft).save())
    #expect(saved.crew.map(\.name) == ["Eve", "Ben", "Dan"])
    #expect(saved.budget?.lines.map(\.amount) == [700, 500] && saved.budget?.amount == 1200)
    for _ in 0..<2 { #expect(await again(draft).save() == saved) }
    #expect(CharterFormState(try await store.fetchCharter(charter.id)) == saved)
  }

  @Test func `A charter that was deleted meanwhile is not restored, and the typed text stays`()
    async throws
  {
    let charter = try await fixture.charter()
    let draft = self.draft(charter.id)
    await draft.load()
    edit(draft) { $0.name = "Typed" }
    try await store.deleteCharter(charter.id)
    #expect(await draft.save() == nil)
    #expect(draft.saveError == .content(.notFound))
    #expect(draft.validated().entry.name == "Typed")
    #expect(try await fixture.count("charters") == 0)
  }

  @Test func `The form shows the charter, saves the changes, and leads back`() async throws {
    let charter = try await fixture.charter()
    let draft = self.draft(charter.id)
    #expect(await draft.save() == nil)
    await draft.load()
    #expect(draft.validated().entry == CharterFormState(charter))
    let form = draft.validated().entry
    #expect(CharterFormValidation.advice(for: form) == [.emptyDestination, .emptyVessel])
    edit(draft) { $0.name = " Renamed " }
    edit(draft) { $0.crew = [.init(name: "Ada", role: .skipper), .init(name: " ", role: .guest)] }
    edit(draft) { $0.budget = CharterBudget(amount: 12, currencyCode: "EUR") }
    let saved = try #require(await draft.save())
    #expect(saved.name == "Renamed")
    #expect(saved.crew == [CrewMember(name: "Ada", role: .skipper)])
    #expect(CharterFormState(try await store.fetchCharter(charter.id)) == saved)
  }

  @Test func `Concurrent changes to other fields stay`() async throws {
    var charter = try await fixture.charter()
    let draft = self.draft(charter.id)
    await draft.load()
    charter.boatName = "Alma"
    charter.guests = 9
    try await fixture.repository.saveCharter(charter)
    try await fixture.repository.setActiveCharter(charter.id)
    edit(draft) { $0.region = "Dalmatia" }
    await draft.save()
    let stored = try await store.fetchCharter(charter.id)
    #expect(stored.boatName == "Alma")
    #expect(stored.guests == 9)
    #expect(stored.region == "Dalmatia")
    #expect(stored.isActive)
  }

  @Test func `Errors are shown and nothing is stored, and a second load preserves the typed text`()
    async throws
  {
    let charter = try await fixture.charter()
    let draft = self.draft(charter.id)
    await draft.load()
    edit(draft) { $0.name = "" }
    edit(draft) { $0.endDate = .day(6, 1) }
    #expect(await draft.save() == nil)
    #expect(Set(draft.problems.keys) == ["name", "endDate"])
    await draft.load()
    #expect(draft.validated().entry.name.isEmpty)
    #expect(try await store.fetchCharter(charter.id) == charter)
  }

  @Test func `Saving twice at once saves once`() async throws {
    let charter = try await fixture.charter()
    let draft = self.draft(charter.id)
    await draft.load()
    edit(draft) { $0.name = "Renamed" }
    async let first = draft.save()
    async let second = draft.save()
    #expect(await first == second)
    #expect(fixture.log.count { $0.contains("changeCharter completed") } == 1)
  }

  @Test func `A failure is shown, the typed text stays, and saving again can succeed`() async throws
  {
    let charter = try await fixture.charter()
    let draft = self.draft(charter.id)
    await draft.load()
    edit(draft) { $0.name = "Renamed" }
    try await fixture.run(
      "CREATE TRIGGER refuse BEFORE UPDATE ON charters BEGIN SELECT raise(ABORT, 'x'); END")
    #expect(await draft.save() == nil)
    #expect(draft.saveError == .database(.writeFailed))
    #expect(draft.validated().entry.name == "Renamed")
    #expect(try await store.fetchCharter(charter.id) == charter)
    try await fixture.run("DROP TRIGGER refuse")
    #expect(await draft.save()?.name == "Renamed")
    #expect(draft.saveError == nil)
  }

  @Test func `A missing charter is an error, and a deleted one is not stored again`()
    async throws
  {
    let unknown = draft(UUID())
    await unknown.load()
    #expect(unknown.loadError == .database(.notFound))
    let charter = try await fixture.charter()
    let draft = self.draft(charter.id)
    await draft.load()
    try await store.deleteCharter(charter.id)
    edit(draft) { $0.name = "Renamed" }
    #expect(await draft.save() == nil)
    #expect(draft.saveError == .content(.notFound))
    #expect(try await fixture.count("charters") == 0)
  }

  @Test func `The draft is released`() async throws {
    let charter = try await fixture.charter()
    weak var released: Draft<CharterFormState>?
    do {
      let draft = self.draft(charter.id)
      await draft.load()
      await draft.save()
      released = draft
    }
    #expect(released == nil)
  }
}
