import Foundation
import Offshore
import Testing

@testable import OffshorePresentation

@MainActor
struct DraftTests {
  struct Trip: Identifiable, Equatable, Sendable, Record {
    let id: UUID
    var title: String
    var bags: Int
    var note: String?
    var isOver: Bool

    static let table = Table(
      "trips", Trip.init,
      Column("id", \.id).primaryKey(), Column("title", \.title), Column("bags", \.bags),
      Column("note", \.note), Column("isOver", \.isOver))

    static let fields: [DraftField<Trip>] = [
      .line(
        "title", \.title, label: .init(en: "Title", ru: "Название"), limit: 20, isRequired: true),
      .number("bags", \.bags, label: .init(en: "Bags", ru: "Сумки"), in: 0...9),
      .line("note", \.note, label: .init(en: "Note", ru: "Заметка")),
      .check("isOver", \.isOver, label: .init(en: "Over", ru: "Завершена")),
    ]
  }

  private let database: Database
  private let id = UUID()

  init() async throws {
    database = try Database.temporary(
      migrations: [Migration("v1") { try $0.create(Trip.table) }])
  }

  private func draft(isNew: Bool) -> Draft<Trip> {
    Draft(Trip.fields, id: id, isNew: isNew, in: database) {
      Trip(id: $0, title: "", bags: 1, note: nil, isOver: false)
    }
  }

  private func stored() async throws -> Trip? {
    let id = id
    return try await database.read { try Trip.find(id).first($0) }
  }

  private func store(_ title: String, bags: Int = 2) async throws {
    let trip = Trip(id: id, title: title, bags: bags, note: "dry", isOver: false)
    try await database.write { try trip.save($0) }
  }

  @Test func `A new entry starts with its default values, and saving twice stores one`()
    async throws
  {
    let draft = draft(isNew: true)
    #expect(draft.isFilled && draft["bags"] == "1" && draft["title"] == "")
    draft["title"] = "  Alps "
    async let first = draft.save()
    async let second = draft.save()
    _ = await (first, second)
    #expect(try await stored()?.title == "Alps")
    let again = self.draft(isNew: true)
    again.restore(["title": "Alps", "bags": "1"], origins: [:])
    #expect(await again.save()?.title == "Alps" && again.saveError == nil)
  }

  @Test func `Invalid fields are reported, and nothing is stored`() async throws {
    let draft = draft(isNew: true)
    draft["title"] = " "
    draft["bags"] = "ten"
    #expect(await draft.save() == nil)
    #expect(Set(draft.problems.keys) == ["title", "bags"])
    draft["title"] = String(repeating: "x", count: 21)
    draft["bags"] = "10"
    #expect(await draft.save() == nil)
    let title = try #require(draft.problems["title"]).in(.english)
    #expect(title.contains("Title") && title.contains("20"))
    #expect(try await stored() == nil && draft["bags"] == "10")
  }

  @Test func `A field that was edited only elsewhere keeps that value`() async throws {
    try await store("Alps")
    let draft = draft(isNew: false)
    await draft.load()
    draft["title"] = "Dolomites"
    try await store("Alps", bags: 5)
    #expect(await draft.save() != nil)
    let trip = try #require(try await stored())
    #expect(trip.title == "Dolomites" && trip.bags == 5 && trip.note == "dry")
  }

  @Test func `A field that was edited here and elsewhere is a conflict, until it is saved again`()
    async throws
  {
    try await store("Alps")
    let draft = draft(isNew: false)
    await draft.load()
    draft["title"] = "Dolomites"
    try await store("Pyrenees")
    #expect(await draft.save() == nil)
    #expect(draft.saveError == .sync(.conflict) && draft.conflicts == ["title"])
    #expect(draft["title"] == "Dolomites")
    #expect(try await stored()?.title == "Pyrenees")
    #expect(await draft.save() != nil && draft.saveError == nil)
    #expect(try await stored()?.title == "Dolomites")
  }

  @Test func `Typing the same value on both sides is not a conflict`() async throws {
    try await store("Alps")
    let draft = draft(isNew: false)
    await draft.load()
    draft["title"] = "Dolomites"
    try await store("Dolomites")
    #expect(await draft.save() != nil)
  }

  @Test func `An entry that was deleted meanwhile is stored again only if it is saved again`()
    async throws
  {
    try await store("Alps")
    let draft = draft(isNew: false)
    await draft.load()
    draft["title"] = "Dolomites"
    let id = id
    _ = try await database.write { try Trip.find(id).delete($0) }
    #expect(await draft.save() == nil && draft.saveError == .database(.notFound))
    #expect(try await stored() == nil)
    #expect(await draft.save() != nil)
    #expect(try await stored()?.note == "dry")
  }

  @Test func `A form outlives its page, with its original values`() async throws {
    try await store("Alps")
    let first = draft(isNew: false)
    await first.load()
    let second = draft(isNew: false)
    second.restore(
      ["title": "Dolomites", "bags": "2", "note": "dry", "isOver": ""], origins: first.origins)
    try await store("Pyrenees")
    #expect(await second.save() == nil && second.saveError == .sync(.conflict))
  }

  @Test func `A missing entry cannot be edited, and a failed write loses nothing`()
    async throws
  {
    let missing = draft(isNew: false)
    await missing.load()
    #expect(missing.loadError == .database(.notFound) && !missing.isFilled)
    #expect(await missing.save() == nil)
    try await database.write {
      try SQL(
        "CREATE TRIGGER full BEFORE INSERT ON trips BEGIN SELECT RAISE(ABORT, 'full'); END"
      ).run($0)
    }
    let draft = draft(isNew: true)
    draft["title"] = "Alps"
    #expect(await draft.save() == nil && draft.saveError != nil && draft["title"] == "Alps")
  }

  @Test(arguments: [
    (ValidationError.outOfRange(field: "bags"), "bags"),
    (.tooLong(field: "note", maximum: 3), "note"),
  ])
  func `A validation error is shown beside the field that it names`(
    _ reason: ValidationError, _ field: String
  ) async {
    let draft = Draft(
      Trip.fields, blank: Trip(id: id, title: "Alps", bags: 1, note: nil, isOver: false),
      isNew: true, fetch: { nil }, store: { _, _ in throw AppError.validation(reason) })
    #expect(await draft.save() == nil && draft.saveError == nil)
    #expect(draft.problems.keys.sorted() == [field])
  }

  @Test(arguments: [ValidationError.missingRequiredFields, .outOfRange(field: "crew")])
  func `A validation error of no field of the form is shown above it`(
    _ reason: ValidationError
  ) async {
    let draft = Draft(
      Trip.fields, blank: Trip(id: id, title: "Alps", bags: 1, note: nil, isOver: false),
      isNew: true, fetch: { nil }, store: { _, _ in throw AppError.validation(reason) })
    #expect(await draft.save() == nil && draft.saveError == .validation(reason))
    #expect(draft.problems.isEmpty)
  }
}
