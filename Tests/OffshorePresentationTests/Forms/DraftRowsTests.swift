import Foundation
import Offshore
import Testing

@testable import OffshorePresentation

/// Forms whose fields have rows, such as the bags of a trip and the things in a bag.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct DraftRowsTests {
  struct Thing: Identifiable, Equatable, Codable {
    let id: UUID
    var name: String
    var weight = 1
  }

  struct Bag: Identifiable, Equatable, Codable {
    let id: UUID
    var name: String
    var things: [Thing] = []
  }

  struct Trip: Identifiable, Equatable, Record {
    let id: UUID
    var title: String
    var bags: [Bag]

    static let table = Table(
      "trips", Trip.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("bags", \.bags, as: .json))

    static let fields: [DraftField<Trip>] = [
      .line("title", \.title, label: .init(verbatim: "Title")),
      .rows(
        "bags", \.bags, label: .init(verbatim: "Bags"), fields: Bag.fields, limit: 3,
        title: { LocalizedText(verbatim: "Bag \($0)") }, add: .init(verbatim: "Add"),
        check: { $0.isEmpty ? .init(verbatim: "No bags") : nil },
        new: { Bag(id: $0(), name: "", things: [Thing(id: $0(), name: "")]) }),
    ]
  }

  private let database: Database
  private let id = UUID()
  private let day = UUID()
  private let night = UUID()
  private let map = UUID()
  private let tent = UUID()
  private let lamp = UUID()

  init() async throws {
    database = try Database.temporary(
      migrations: [Migration("v1") { try $0.create(Trip.table) }])
    try await store([
      Bag(id: day, name: "Day", things: [Thing(id: map, name: "Map", weight: 7)]),
      Bag(
        id: night, name: "Night",
        things: [Thing(id: tent, name: "Tent"), Thing(id: lamp, name: "")]
      ),
    ])
  }

  private func store(_ bags: [Bag]) async throws {
    let trip = Trip(id: id, title: "Alps", bags: bags)
    try await database.write { try trip.save($0) }
  }

  private func stored() async throws -> [Bag] {
    let id = id
    return try await database.read { try Trip.find(id).first($0)?.bags ?? [] }
  }

  private func draft() async -> Draft<Trip> {
    let draft = Draft(Trip.fields, id: id, isNew: false, in: database) {
      Trip(id: $0, title: "", bags: [])
    }
    await draft.load()
    return draft
  }

  /// Types a text into the field of a row, or of a row within it.
  private func type(
    _ text: String, _ field: String = "name", in bag: UUID, _ thing: UUID? = nil,
    of draft: Draft<Trip>
  ) throws {
    var bags = [DraftRow](text: draft["bags"])
    let index = try #require(bags.firstIndex { $0.id == bag.uuidString })
    if let thing {
      var things = [DraftRow](text: bags[index].texts["things"] ?? "")
      let place = try #require(things.firstIndex { $0.id == thing.uuidString })
      things[place].texts[field] = text
      bags[index].texts["things"] = things.text
    } else {
      bags[index].texts[field] = text
    }
    draft["bags"] = bags.text
  }

  private func path(_ bag: UUID, _ thing: UUID? = nil) -> String {
    "bags.\(bag.uuidString)" + (thing.map { ".things.\($0.uuidString)" } ?? "")
  }

  @Test func `Edited rows are stored, and preserve values that the form does not have`()
    async throws
  {
    let draft = await draft()
    try type(" Sea map ", in: day, map, of: draft)
    try type("Lamp", in: night, lamp, of: draft)
    #expect(await draft.save() != nil)
    let bags = try await stored()
    #expect(bags.flatMap(\.things).map(\.name) == ["Sea map", "Tent", "Lamp"])
    #expect(bags[0].things[0].weight == 7)
  }

  @Test func `Problems are named by the path of the field`() async throws {
    let draft = await draft()
    try type("", in: day, of: draft)
    #expect(await draft.save() == nil)
    #expect(Set(draft.problems.keys) == ["\(path(day)).name", "\(path(night, lamp)).name"])
    _ = draft.change(DraftRowChange(.remove, path(day)))
    _ = draft.change(DraftRowChange(.remove, path(night)))
    #expect(draft["bags"] == "")
    #expect(await draft.save() == nil)
    #expect(draft.problems["bags"]?.in(.english) == "No bags")
    for _ in 0..<4 { _ = draft.change(DraftRowChange(.add, "bags")) }
    #expect(await draft.save() == nil)
    #expect(draft.problems["bags"]?.in(.english) == "There may be at most 3.")
  }

  @Test func `Rows are added, removed and moved, at an edge into the next row`() async throws {
    let draft = await draft()
    func names() -> [[String]] {
      [DraftRow](text: draft["bags"]).map { bag in
        [bag.texts["name"] ?? ""]
          + [DraftRow](text: bag.texts["things"] ?? "").map { $0.texts["name"] ?? "" }
      }
    }
    #expect(names() == [["Day", "Map"], ["Night", "Tent", ""]])
    let steps: [(DraftRowChange.Kind, String, [[String]])] = [
      (.down, path(day, map), [["Day"], ["Night", "Map", "Tent", ""]]),
      (.down, path(night, map), [["Day"], ["Night", "Tent", "Map", ""]]),
      (.up, path(night, tent), [["Day", "Tent"], ["Night", "Map", ""]]),
      (.up, path(day, tent), [["Day", "Tent"], ["Night", "Map", ""]]),
      (.down, path(day), [["Night", "Map", ""], ["Day", "Tent"]]),
      (.down, path(day), [["Night", "Map", ""], ["Day", "Tent"]]),
      (.remove, path(night, lamp), [["Night", "Map"], ["Day", "Tent"]]),
      (.add, path(day) + ".things", [["Night", "Map"], ["Day", "Tent", ""]]),
      (.add, "bags", [["Night", "Map"], ["Day", "Tent", ""], ["", ""]]),
      (.remove, path(night), [["Day", "Tent", ""], ["", ""]]),
      (.add, path(day), [["Day", "Tent", ""], ["", ""], ["", ""]]),
      (.add, path(day, tent), [["Day", "Tent", "", ""], ["", ""], ["", ""]]),
    ]
    for (kind, path, expected) in steps {
      let change = try #require(DraftRowChange(text: DraftRowChange(kind, path).text))
      #expect(draft.change(change))
      #expect(names() == expected, "\(change.text)")
    }
    for text in ["up:bags", "add:title", "remove:\(path(UUID()))", "add:\(path(day)).name"] {
      #expect(!draft.change(try #require(DraftRowChange(text: text))), "\(text)")
    }
    #expect(DraftRowChange(text: "explode:bags") == nil && DraftRowChange(text: "save") == nil)
  }

  @Test func `A problem disappears when its text changes, and no other is reported`() async throws {
    let draft = await draft()
    try type("", in: day, of: draft)
    #expect(await draft.save() == nil)
    try type("Lamp", in: night, lamp, of: draft)
    try type("", in: night, of: draft)
    #expect(draft.problems.count == 2)
    draft.removeSolvedProblems()
    #expect(Array(draft.problems.keys) == ["\(path(day)).name"])
    #expect(draft.change(DraftRowChange(.remove, path(day))))
    #expect(draft.problems.isEmpty, "A button that changes rows does the same.")
  }

  // MARK: - Concurrent edits

  private var bags: [Bag] {
    [
      Bag(id: day, name: "Day", things: [Thing(id: map, name: "Map", weight: 7)]),
      Bag(id: night, name: "Night", things: [Thing(id: tent, name: "Tent")]),
    ]
  }

  /// Creates a draft of two bags with names, and without the nameless thing.
  private func begun() async throws -> Draft<Trip> {
    try await store(bags)
    return await draft()
  }

  @Test func `Rows that were edited in different places are merged`() async throws {
    let draft = try await begun()
    try type("Daytime", in: day, of: draft)
    _ = draft.change(DraftRowChange(.add, "bags"))
    let added = try #require(
      [DraftRow](text: draft["bags"]).last.flatMap { UUID(uuidString: $0.id) })
    try type("Mine", in: added, of: draft)
    _ = draft.change(
      DraftRowChange(
        .remove,
        path(
          added,
          [DraftRow](text: [DraftRow](text: draft["bags"])[2].texts["things"] ?? "")
            .first.flatMap { UUID(uuidString: $0.id) })))
    var theirs = bags
    theirs[1].name = "Nights"
    try await store([Bag(id: UUID(), name: "Theirs")] + theirs)
    #expect(await draft.save() == nil, "Three bags are the most.")
    #expect(draft.problems["bags"] != nil)
    try await store(theirs)
    #expect(await draft.save() != nil)
    #expect(try await stored().map(\.name) == ["Daytime", "Nights", "Mine"])
  }

  @Test func `A row that was removed in one place is removed, unless it was edited in the other`()
    async throws
  {
    let draft = try await begun()
    _ = draft.change(DraftRowChange(.remove, path(day)))
    var theirs = bags
    theirs[1].name = "Nights"
    try await store(theirs)
    #expect(await draft.save() != nil)
    #expect(try await stored().map(\.name) == ["Nights"])
    let other = try await begun()
    try type("Daytime", in: day, of: other)
    try await store([bags[1]])
    #expect(await other.save() == nil && other.saveError == .sync(.conflict))
    #expect(await other.save() != nil)
    #expect(try await stored().map(\.name) == ["Daytime", "Night"])
  }

  @Test func `A row that was edited in both places is a conflict, and so is another order`()
    async throws
  {
    let draft = try await begun()
    try type("Daytime", in: day, of: draft)
    var theirs = bags
    theirs[0].things[0].name = "Chart"
    try await store(theirs)
    #expect(await draft.save() == nil && draft.conflicts == ["bags"])
    let moving = try await begun()
    _ = moving.change(DraftRowChange(.up, path(night)))
    try await store(theirs)
    #expect(await moving.save() == nil && moving.conflicts == ["bags"])
    #expect(await moving.save() != nil)
    #expect(try await stored().map(\.name) == ["Night", "Day"])
  }
}

extension DraftRowsTests.Bag {
  static let fields: [DraftField<Self>] = [
    .line("name", \.name, label: .init(verbatim: "Name"), isRequired: true),
    .rows(
      "things", \.things, label: .init(verbatim: "Things"),
      fields: [.line("name", \.name, label: .init(verbatim: "Name"), isRequired: true)],
      title: { LocalizedText(verbatim: "Thing \($0)") }, add: .init(verbatim: "Add"),
      new: { DraftRowsTests.Thing(id: $0(), name: "") }),
  ]
}
