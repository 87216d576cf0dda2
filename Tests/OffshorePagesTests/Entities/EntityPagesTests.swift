import Foundation
import Offshore
import OffshoreHTTP
import OffshoreLogging
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import Testing

@testable import OffshorePages

/// The lists, the pages and the forms of a group of entities, without the script.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct EntityPagesTests {
  private let file: SyncedStore
  private let store: EntityStore
  private let router: Router
  private let language: LanguageSetting

  init() async throws {
    let file = try SyncedStore.temporary(schema: Almanac.schema)
    let logger = AppLogger(.repository, to: .none)
    let store = EntityStore(EntityRepository(LoggedStore(file, logger: logger)))
    let language = try await LanguageSetting.start(
      storedBy: file, languages: [.english, .russian]
    ) { Calendar(identifier: .gregorian) }
    let frame = AppFrame(
      LocalizedText(verbatim: "Days"), parts: [], store: file,
      sync: try await file.sync(with: nil), language: language, tabs: TabRegistry())
    let pages = EntityPages<Almanac>(
      frame, in: "almanac", title: LocalizedText(verbatim: "Almanac"), store: store)
    // Presents errors by the status that a host gives them.
    var router = Router { error, _ in
      let known = error is any ResponseError ? nil : HTTPError(error.asAppError.status)
      return Response(presenting: known ?? error)
    }
    router.addPages(EntityRoute<Almanac>.self, of: frame) { pages.page($0, $1) }
    (self.file, self.store, self.router, self.language) = (file, store, router, language)
  }

  private func get(_ path: String) async -> Response {
    await router.respond(to: Request(.get, path))
  }

  private func post(_ path: String, _ fields: Fields) async -> Response {
    let headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    return await router.respond(
      to: Request(.post, path, headers: headers, body: Array(fields.encoded.utf8)))
  }

  /// Writes a guide by its form.
  /// - Returns: the path of its page.
  private func written(_ title: String, _ body: String = "Slowly.") async throws -> String {
    let page = await get("/almanac/guides/new").text
    let id = try #require(page.firstMatch(of: /name="entry" value="([^"]+)"/)).1
    let saved = await post(
      "/almanac/guides/new",
      ["entry": String(id), "title": title, "body": body, "action": "save"])
    return try #require(saved.headers["Location"])
  }

  /// The hidden fields of the form on a page, as a browser sends them.
  private func hiddenFields(_ page: String) throws -> Fields {
    var fields: Fields = [:]
    let start = try #require(page.firstRange(of: #"id="editor-form""#)?.upperBound)
    let end = try #require(page[start...].firstRange(of: "</form>")?.lowerBound)
    for match in page[start..<end].matches(of: /type="hidden" name="([^"]+)" value="([^"]*)"/) {
      fields.items += ([String(match.1): String(match.2)] as Fields).items
    }
    return fields
  }

  private func run(_ sql: SQL) async throws { try await file.write { try sql.run($0) } }

  // MARK: - Lists

  @Test func `The list of each kind links to the other kinds, to entries and to a new one`()
    async throws
  {
    let empty = await get("/almanac").text
    #expect(empty.contains("No Guides") && empty.contains(#"href="/almanac/guides/new""#))
    #expect(empty.contains(#"<a href="/almanac" aria-current="page">Guides"#))
    #expect(empty.contains(#"<a href="/almanac?part=birthdays">Birthdays"#))
    let path = try await written("Mooring", "Stern-to")
    let list = await get("/almanac").text
    #expect(list.contains(#"href="\#(path)""#) && list.contains("Stern-to"))
    #expect(list.contains(#"<span class="count">1</span>"#))
    #expect(await get("/almanac?part=birthdays").text.contains("No Birthdays"))
    #expect(await get("/almanac?part=nonsense").text.contains("Mooring"))
  }

  @Test func `Entries that cannot be read are counted, and link to where they can be deleted`()
    async throws
  {
    let path = try await written("Mooring")
    try await run("UPDATE guides SET createdAt = 'never'")
    let list = await get("/almanac").text
    #expect(
      list.contains("1 guide cannot be read and is left out.") && !list.contains("No Guides"))
    #expect(list.contains(#"href="\#(path)""#))
    language.use(.russian)
    #expect(await get("/almanac").text.contains("1 памятка не читается и не показывается."))
    language.use(.english)
    #expect(await get(path).text.contains(#"role="alert""#))
    #expect(await post(path, ["action": "delete"]).headers["Location"] == "/almanac")
    #expect(await get("/almanac").text.contains("No Guides"))
  }

  // MARK: - Entries

  @Test func `An entry is written, edited and copied`() async throws {
    let path = try await written("Mooring <at night>")
    let page = await get(path).text
    #expect(page.contains("Mooring &lt;at night&gt;") && page.contains("Text: Slowly."))
    #expect(page.contains(#"href="\#(path)/edit""#))
    var form = try hiddenFields(await get("\(path)/edit").text)
    form.items += (["title": "Anchoring <by day>", "body": "", "action": "save"] as Fields).items
    let saved = await post("\(path)/edit", form)
    #expect(saved.status == .seeOther && saved.headers["Location"] == path)
    let edited = await get(path).text
    #expect(edited.contains("Anchoring &lt;by day&gt;") && !edited.contains("Slowly."))
    language.use(.russian)
    let copy = try #require(await post(path, ["action": "copy"]).headers["Location"])
    #expect(copy != path)
    #expect(await get(copy).text.contains("Anchoring &lt;by day&gt; копия"))
    #expect(await get("/almanac").text.contains("Памятки"))
  }

  @Test func `An edit over a newer version is a conflict until it is sent again`() async throws {
    let path = try await written("Mooring")
    var form = try hiddenFields(await get("\(path)/edit").text)
    try await run("UPDATE guides SET title = 'Theirs'")
    form.items += (["title": "Mine", "body": "Slowly.", "action": "save"] as Fields).items
    let refused = await post("\(path)/edit", form)
    #expect(refused.status == .unprocessableContent && refused.text.contains("Mine"))
    #expect(await get(path).text.contains("Theirs"))
    var again = try hiddenFields(refused.text)
    again.items += (["title": "Mine", "body": "Slowly.", "action": "save"] as Fields).items
    #expect(await post("\(path)/edit", again).headers["Location"] == path)
    #expect(await get(path).text.contains("Mine"))
  }

  @Test func `A deleted entry can be restored from the next page`() async throws {
    let path = try await written("Mooring")
    let list = try #require(await post(path, ["action": "delete"]).headers["Location"])
    for gone in [path, "\(path)/edit"] { #expect(await get(gone).status == .notFound) }
    #expect(await post(path, ["action": "delete"]).headers["Location"] == list)
    let page = await get(list).text
    #expect(page.contains("“Mooring” was deleted."))
    let removal = try #require(page.firstMatch(of: /name="removal" value="([^"]+)"/)).1
    for _ in 0..<2 {
      let undone = await post(
        "/undo", ["removal": String(removal), "action": "undo-removal", "page": list])
      #expect(undone.status == .seeOther)
    }
    #expect(await get(path).text.contains("Text: Slowly."))
  }

  @Test func `An address is parsed again, and a place in no entry has none`() async throws {
    let path = EntityRoute<Almanac>.entry(EntityKind(Guide.self), UUID())
    #expect(
      EntityRoute<Almanac>(components: path.address.split(separator: "/").map(String.init)) == path)
    let place = StoredPlace(table: "guides", column: "title", row: "7")
    #expect(EntityRoute<Almanac>.address(of: place) == nil)
  }

  @Test(arguments: [
    "/almanac/guides/nonsense", "/almanac/elsewhere/new", "/almanac/guide/new",
  ])
  func `An unknown or malformed address is 404`(path: String) async {
    #expect(await get(path).status == .notFound)
  }
}
