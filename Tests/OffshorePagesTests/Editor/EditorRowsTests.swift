import Foundation
import Observation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import Testing

@testable import OffshorePages

/// A form with rows, with and without an open page.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct EditorRowsTests {
  struct Card: Identifiable, Equatable, Codable {
    let id: UUID
    var front: String
    var hint = ""
  }

  struct Deck: Identifiable, Equatable, Record {
    let id: UUID
    var title: String
    var cards: [Card]

    static let table = Table(
      "decks", Deck.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("cards", \.cards, as: .json))

    static let fields: [DraftField<Deck>] = [
      .line("title", \.title, label: .init(verbatim: "Title"), isRequired: true),
      .rows(
        "cards", \.cards, label: .init(verbatim: "Cards"),
        fields: [
          .line("front", \.front, label: .init(verbatim: "Front"), isRequired: true),
          .line("hint", \.hint, label: .init(verbatim: "Hint"), limit: 5).underMore(mark: "✎"),
        ],
        title: { LocalizedText(verbatim: "Card \($0)") }, add: .init(verbatim: "Add Card"),
        new: { Card(id: $0(), front: "") }),
    ]
  }

  enum Route: PageRoute {
    case edit(UUID)
    var path: RoutePath {
      switch self {
      case .edit(let id): "decks/\(id)/edit"
      }
    }
    static let all: [RouteCase<Route>] = [RouteCase(Route.edit)]
  }

  /// The right to edit, which an open page follows.
  @Observable final class Access {
    var canEdit = true
    @ObservationIgnored var isLoaded = false
  }

  private let access = Access()
  private let store: SyncedStore
  private let router: Router
  private let deck = Deck(
    id: UUID(), title: "Lights",
    cards: [Card(id: UUID(), front: "Red"), Card(id: UUID(), front: "Green")])
  private var path: String { Route.edit(deck.id).address }

  init() async throws {
    let schema = StoreSchema(
      migrations: [Migration("v1") { try $0.create(Deck.table) }])
    store = try SyncedStore.temporary(schema: schema)
    let language = try await LanguageSetting.start(
      storedBy: store, languages: [.english]
    ) { Calendar(identifier: .gregorian) }
    let tabs = TabRegistry()
    let frame = AppFrame(
      LocalizedText(verbatim: "Cards"), parts: [], store: store,
      sync: try await store.sync(with: nil), language: language, tabs: tabs)
    var router = Router()
    router.addLivePages(tabs)
    router.addPages(Route.self, of: frame) { [store, access] route, _ in
      switch route {
      case .edit(let id):
        EditorPage(frame, in: "decks", back: PageLink("Deck", to: "/decks")) { _ in
          Draft(Deck.fields, id: id, isNew: false, in: store) {
            Deck(id: $0, title: "", cards: [])
          }
        } next: {
          "/decks/\($0.id)"
        }.showing {
          access.isLoaded = true
        } refusal: {
          access.canEdit ? nil : LocalizedText(verbatim: "Only look.")
        }.acceptingFormerForms { former in
          guard let name = former["name"] else { return (former, [:]) }
          let action = former["action"] ?? "save"
          return (
            ["entry": id.uuidString, "action": action, "title": name],
            former["was"].map { ["title": $0] } ?? [:]
          )
        }
      }
    }
    self.router = router
    try await store.write { [deck] in try deck.insert($0) }
  }

  private func post(_ fields: Fields, tab: String? = nil) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    if let tab { headers["Offshore-Tab"] = tab }
    return await router.respond(
      to: Request(.post, path, headers: headers, body: Array(fields.encoded.utf8)))
  }

  private func page() async -> String { await router.respond(to: Request(.get, path)).text }

  /// The fields that a browser sends of a page, except for the button.
  private func sent(by page: String) -> Fields {
    var fields: Fields = [:]
    for input in page.matches(of: /<input([^>]*)>/) {
      guard let name = input.1.firstMatch(of: /name="([^"]*)"/)?.1,
        let value = input.1.firstMatch(of: /value="([^"]*)"/)?.1
      else { continue }
      fields.items += ([String(name): String(value)] as Fields).items
    }
    return fields
  }

  private func stored() async throws -> Deck? {
    let id = deck.id
    return try await store.read { try Deck.find(id).first($0) }
  }

  private func row(_ number: Int) -> String { "cards.\(deck.cards[number].id.uuidString)" }

  @Test func `Buttons change the rows, and saving stores them`() async throws {
    let page = await page()
    #expect(page.contains(#"<h1 id="heading">Edit “Lights”</h1>"#) && page.contains("‹ Lights</a>"))
    #expect(page.contains(#"<fieldset id="field-cards" class="plain"><legend>Cards</legend>"#))
    #expect(page.contains(#"aria-label="Move down: Red""#))
    #expect(page.contains(#"role="group" aria-label="Card 2">"#))
    let moved = await post(sent(by: page) + ["action": "down:\(row(0))"])
    #expect(moved.status == .ok)
    let added = await post(sent(by: moved.text) + ["action": "add:cards"])
    let removed = await post(sent(by: added.text) + ["action": "remove:\(row(1))"])
    #expect(try await stored() == deck, "Nothing is stored before it is saved.")
    let refused = await post(sent(by: removed.text) + ["action": "save"])
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.matches(of: /id="field-cards\.[^"]+\.front-error"/).count == 1)
    let filled = sent(by: refused.text).items.map {
      $0.name.hasSuffix(".front") && $0.value.isEmpty ? Fields.Item($0.name, "White") : $0
    }
    var fields: Fields = ["action": "save"]
    fields.items += filled
    #expect(await post(fields).status == .seeOther)
    #expect(try await stored()?.cards.map(\.front) == ["Red", "White"])
    #expect(try await stored()?.cards.first?.id == deck.cards[0].id)
  }

  @Test func `The menu of a row has folded buttons, and no move beyond the edges`() async throws {
    let page = await page()
    let menus = page.split(separator: #"class="more""#).dropFirst().map(String.init)
    #expect(menus.count == 2 && menus.allSatisfy { $0.contains(".hint\"") })
    #expect(!menus[0].contains("up:") && menus[0].contains(#"data-move="down""#))
    #expect(!menus[1].contains("down:") && menus[1].contains(#"data-move="up""#))
    #expect(!page.contains("flags") && page.contains(#"aria-label="More: Red""#))
    let hinted = sent(by: page).items.map {
      $0.name.hasSuffix(".hint") ? Fields.Item($0.name, "Port side") : $0
    }
    var fields: Fields = ["action": "save"]
    fields.items += hinted
    let refused = await post(fields)
    #expect(refused.text.contains(#"<span class="flags" aria-hidden="true">✎</span>"#))
    #expect(refused.text.contains(#"aria-label="More: Red (Hint)""#))
    #expect(refused.text.matches(of: /class="more" open data-open=""/).count == 2)
  }

  @Test func `In an open page an error goes with the next button once it is mended`() async throws {
    let tab = String(try #require(await page().firstMatch(of: /data-tab="([^"]+)"/)).1)
    func typed(_ action: String, _ text: String) async -> Fields {
      var fields: Fields = ["action": action]
      fields.items += sent(by: await page()).items.map {
        $0.name.hasSuffix(".front") || $0.name == "title" ? Fields.Item($0.name, text) : $0
      }
      return fields
    }
    let stream = await router.respond(to: Request(.get, "/live/\(tab)?after=0"))
    guard case .events(let changes) = stream.body else { throw HTTPError(stream.status) }
    defer { changes.close() }
    func change(with text: String) async -> String {
      while let change = await changes.next()?.data {
        if change.contains(text) { return change }
      }
      return ""
    }
    #expect(await post(await typed("save", ""), tab: tab).status == .unprocessableContent)
    #expect(await change(with: "field-title-error").contains("aria-invalid"))
    _ = await post(await typed("keep", "White"), tab: tab)
    let mended = await change(with: "White")
    #expect(!mended.isEmpty && !mended.contains("aria-invalid"))
  }

  @Test func `The heading and the link back have the title that is stored, not the typed one`()
    async throws
  {
    let typed = sent(by: await page()).items.map {
      $0.name == "title" ? Fields.Item("title", " ") : $0
    }
    var fields: Fields = ["action": "save"]
    fields.items += typed
    let refused = await post(fields)
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains(#"<h1 id="heading">Edit “Lights”</h1>"#))
    #expect(refused.text.contains("‹ Lights</a>"))
  }

  @Test func `An open page follows the right to edit`() async throws {
    let page = await page()
    #expect(access.isLoaded && !page.contains("Only look."))
    let tab = String(try #require(page.firstMatch(of: /data-tab="([^"]+)"/)).1)
    let form = sent(by: page) + ["action": "keep"]
    #expect(await post(form, tab: tab).headers["Offshore-Revision"] == "0")
    access.canEdit = false
    #expect(await post(form, tab: tab).headers["Offshore-Revision"] == "1")
    let stream = await router.respond(to: Request(.get, "/live/\(tab)?after=0"))
    guard case .events(let changes) = stream.body else { throw HTTPError(stream.status) }
    let change = try #require(await changes.next()).data
    #expect(change.contains("Only look.") && !change.contains(#""op":"remove""#), "The form stays.")
    let other = await self.page()
    #expect(other.contains("Only look.") && !other.contains("editor-form"))
  }

  @Test func `A form of an earlier version is translated, and overwrites nothing unasked`()
    async throws
  {
    let kept = await post(["name": "Lamps", "was": "Lights", "action": "keep"])
    #expect(kept.status == .ok && kept.text.contains(#"value="Lamps""#))
    let unknown = await post(["name": "Lamps"])
    #expect(unknown.status == .unprocessableContent && unknown.text.contains(#"value="Lamps""#))
    #expect(try await stored()?.title == "Lights")
    #expect(await post(sent(by: unknown.text) + ["action": "save"]).status == .seeOther)
    #expect(try await stored()?.title == "Lamps")
  }

  @Test func `In an open page a button changes the form in place`() async throws {
    let page = await page()
    let tab = try #require(page.firstMatch(of: /data-tab="([^"]+)"/)).1
    let response = await post(sent(by: page) + ["action": "add:cards"], tab: String(tab))
    #expect(response.status == .noContent && response.headers["Offshore-Location"] == nil)
    #expect(response.headers["Offshore-Revision"] == "1")
  }

  @Test func `The second of two forms is refused if both changed a card, and keeps its text`()
    async throws
  {
    let (first, second) = (await page(), await page())
    func typed(_ page: String, _ text: String) -> Fields {
      var fields: Fields = ["action": "save"]
      fields.items += sent(by: page).items.map {
        $0.name == "\(row(0)).front" ? Fields.Item($0.name, text) : $0
      }
      return fields
    }
    #expect(await post(typed(first, "Rot")).status == .seeOther)
    let refused = await post(typed(second, "Rouge"))
    #expect(refused.status == .unprocessableContent && refused.text.contains(#"value="Rouge""#))
    #expect(try await stored()?.cards[0].front == "Rot")
    #expect(await post(sent(by: refused.text) + ["action": "save"]).status == .seeOther)
    #expect(try await stored()?.cards[0].front == "Rouge")
  }

  @Test func `A form that no page has is refused, and nothing is stored`() async throws {
    let good = sent(by: await page())
    let id = deck.cards[0].id.uuidString
    for bad: Fields in [
      ["action": "explode"], ["action": "remove:cards.x"], ["action": "add:title"],
      ["cards": "nonsense", "action": "save"], ["cards": id, "action": "save"],
    ] { #expect(await post(good + bad).status == .badRequest) }
    #expect(await post(["action": "save"]).status == .badRequest)
    #expect(try await stored() == deck)
  }
}

extension Fields {
  fileprivate static func + (fields: Fields, more: Fields) -> Fields {
    var sum = fields
    sum.items += more.items
    return sum
  }
}

extension Fields.Item {
  fileprivate init(_ name: String, _ value: String) {
    self = ([name: value] as Fields).items[0]
  }
}
