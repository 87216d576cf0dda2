import Foundation
import Offshore
import OffshoreHTTP
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePages
@testable import OffshorePresentation

extension SharedKind {
  fileprivate static let list = SharedKind("list", in: "lists") { "/lists/\($0.uuidString)" }
}

/// The page of a history, without the script, on a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct HistoryPageTests {
  private static let tables = [
    HistoryTable(
      PackingList.self,
      fields: [.text(\.title, label: LocalizedText(en: "Title", ru: "Заголовок"))]),
    HistoryTable(
      Item.self, name: LocalizedText(en: "Item", ru: "Вещь"),
      fields: [.text(\.title, label: LocalizedText(en: "Title", ru: "Заголовок"))]),
  ]

  /// A page with the link to a history.
  private struct LinkPage: LivePage {
    let frame: AppFrame
    let count: Int

    func page(_ tab: Tab) -> Page {
      frame.page(tab, "Link", in: "lists") {
        HistoryLink(
          frame, count: count, to: SharedKind.list.historyAddress(of: .sample), id: "to-history")
      }
    }
  }

  private func makeApp(
    of name: String? = nil, _ server: LoopbackServer? = nil, language: Language = .english
  ) async throws -> SampleApp {
    let app = try await SampleApp(
      server: server?.url, language: language,
      addPages: { router, frame in
        router.addHistory(of: frame, HistoryKind(.list, Self.tables))
        router.get("links/:count") { request in
          let count: Int = try request.parameter("count")
          return try await frame.tabs.open(request) { LinkPage(frame: frame, count: count) }
        }
      })
    guard let name else { return app }
    do {
      try await app.sync.signUp(name: name, password: "correct horse")
    } catch AppError.auth(.nameTaken) {
      try await app.sync.signIn(name: name, password: "correct horse")
    }
    return app
  }

  /// Waits until a query has these texts.
  private func wait(for sql: SQL, toBe expected: [String], on app: SampleApp) async throws {
    let values = app.store.values { try sql.all($0, as: String.self) }
    for try await texts in values where texts == expected { return }
  }

  /// Two devices of an owner that rename a list at the same time: the later one to “Vis <2>”.
  private func rename(_ server: LoopbackServer) async throws -> (
    first: SampleApp, second: SampleApp, list: PackingList
  ) {
    let first = try await makeApp(of: "owner", server)
    let list = try await first.addList("Weekend", items: "Tent")
    try await first.waitUntilSent()
    let second = try await makeApp(of: "owner", server)
    try await wait(for: "SELECT title FROM lists", toBe: ["Weekend"], on: second)
    for app in [first, second] { try await app.sync.setAirplane(true) }
    for (app, title) in [(first, "Lastovo"), (second, "Vis <1>"), (second, "Vis <2>")] {
      try await app.store.update(PackingList.find(list.id)) { [$0.title.set(title)] }
    }
    for app in [first, second] { try await app.sync.setAirplane(false) }
    for app in [first, second] {
      let history = History(of: try scope(of: list), in: LoggedStore(app.store), Self.tables)
      for try await content in history.contents() where content?.entries.count == 1 { break }
    }
    return (first, second, list)
  }

  private func scope(of list: PackingList) throws -> ScopeID {
    try ScopeID(kind: "list", value: list.id.uuidString)
  }

  @Test func `A conflict is shown on both devices, and the losing value is used by a form`()
    async throws
  {
    let server = try LoopbackServer()
    let (first, second, list) = try await rename(server)
    let address = SharedKind.list.historyAddress(of: list.id)
    #expect(address == "/history/list/\(list.id.uuidString)")
    let titles = try await first.store.read { try PackingList.all.all($0).map(\.title) }
    let isLastovo = titles == ["Lastovo"]
    let (stayed, lost) = isLastovo ? ("Lastovo", "Vis &lt;2&gt;") : ("Vis &lt;2&gt;", "Lastovo")
    for (app, isWinning) in [(first, isLastovo), (second, !isLastovo)] {
      let (mine, theirs) = isWinning ? (stayed, lost) : (lost, stayed)
      let text = await app.get(address).text
      #expect(text.contains("<strong>Title:</strong>") && text.contains("2 versions"))
      #expect(text.contains("<p class=\"hint\">You, "))
      #expect(text.contains(#"aria-label="Keep mine: Title: “\#(mine)”""#))
      #expect(text.contains(#"aria-label="Keep theirs: Title: “\#(theirs)”""#))
      #expect(text.contains("The later change stayed."))
      #expect(text.contains(#"href="/lists/\#(list.id.uuidString)""#), "a link back")
    }
    let entry = try #require(
      await first.get(address).text.firstMatch(of: /name="entry" value="([^"]+)"/)?.1)
    let form: Fields = ["action": "choose", "choice": "losing", "entry": String(entry)]
    let answer = await first.post(address, form)
    #expect(answer.status == .seeOther && answer.headers["Location"] == address)
    let title = lost.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
    try await wait(for: "SELECT title FROM lists", toBe: [title], on: second)
    #expect(await first.get(address).text.contains("You chose “\(lost)”, "))
    // The other device is of the same account, whose name the server sent.
    let history = History(of: try scope(of: list), in: LoggedStore(second.store), Self.tables)
    for try await content in history.contents()
    where content?.entries.first?.decision?.author == .member("owner") { break }
    #expect(await second.get(address).text.contains("owner chose “\(lost)”, "))
    let again = await first.post(address, form)
    #expect(again.status == .unprocessableContent)
    #expect(again.text.contains("This was changed elsewhere meanwhile."))
    let back = await first.post(
      address, ["action": "choose", "choice": "winning", "entry": String(entry)])
    #expect(back.status == .seeOther)
    try await wait(
      for: "SELECT title FROM lists", toBe: [isLastovo ? "Lastovo" : "Vis <2>"], on: second)
    await server.end(first, second)
  }

  @Test func `A form that no page sends is refused`() async throws {
    let app = try await makeApp()
    let address = SharedKind.list.historyAddress(of: try await app.addList("Weekend").id)
    for form in [
      [:], ["action": "choose"], ["action": "choose", "entry": UUID().uuidString],
      ["action": "choose", "choice": "losing", "entry": "1"],
    ] as [Fields] {
      #expect(await app.post(address, form).status == .badRequest)
    }
    let unknown = await app.post(
      address, ["action": "choose", "choice": "both", "entry": UUID().uuidString])
    #expect(unknown.status == .unprocessableContent)
  }

  @Test(arguments: [
    (Language.english, "No conflicts"), (.russian, "Конфликтов не было"),
  ])
  func `A thing without conflicts has an empty history`(_ language: Language, _ title: String)
    async throws
  {
    let app = try await makeApp(language: language)
    let address = SharedKind.list.historyAddress(of: try await app.addList("Weekend").id)
    let page = await app.get(address)
    #expect(page.status == .ok && page.text.contains(title) && page.text.contains("Weekend"))
  }

  @Test func `The history of a thing that is not there leads to the page of the thing`()
    async throws
  {
    let app = try await makeApp()
    let id = UUID()
    let address = SharedKind.list.historyAddress(of: id)
    for answer in [
      await app.get(address), await app.post(address, ["action": "choose", "entry": "1"]),
    ] {
      #expect(
        answer.status == .seeOther && answer.headers["Location"] == "/lists/\(id.uuidString)")
    }
    #expect(await app.get("/history/bag/\(id.uuidString)").status == .notFound)
  }

  @Test func `The link to a history counts its entries, and is missing without any`() async throws {
    let app = try await makeApp()
    #expect(await !app.get("/links/0").text.contains("to-history"))
    #expect(
      await app.get("/links/1").text.contains("1 change was made at the same time as another"))
    let russian = try await makeApp(language: .russian)
    #expect(
      await russian.get("/links/2").text.contains("2 изменения сделаны одновременно с другими"))
  }
}

struct HistoryTextsTests {
  private let english = Localizer(.english, calendar: .utc)
  private let russian = Localizer(.russian, calendar: .utc)

  /// The date of the value that stayed, a minute after that of the losing value.
  private let date = Date(timeIntervalSince1970: 1_812_364_860)
  private var nextDay: Date { date + 86_400 }

  private func entry(
    _ winning: HistoryValue, _ losing: HistoryValue, _ reason: Conflict.Reason = .later,
    row: LocalizedText? = nil, areEquivalent: Bool = false, decision: HistoryEntry.Decision? = nil
  ) -> HistoryEntry {
    HistoryEntry(
      id: UUID(), place: HistoryPlace(Item.self, UUID()), row: row,
      label: LocalizedText(en: "Boat", ru: "Лодка"),
      winning: .init(winning, at: date, by: .otherDevice),
      losing: .init(losing, at: date - 60, by: .thisDevice), reason: reason,
      areEquivalent: areEquivalent,
      decision: decision, choices: [])
  }

  private func outcome(_ entry: HistoryEntry, _ say: Localizer) -> String {
    HistoryTexts().outcome(of: entry, say, now: nextDay).replacing("\u{202f}", with: " ")
  }

  @Test func `An edit has its author and its date, today its time alone`() throws {
    let texts = HistoryTexts()
    let entry = entry(.number(4), .number(6))
    #expect(
      texts.origin(of: entry.winning, english, now: nextDay)
        == "Another device, 7 Jun 2027 at 10:41")
    #expect(texts.origin(of: entry.winning, english, now: date) == "Another device, 10:41")
    #expect(texts.origin(of: entry.losing, english, now: date) == "You, 10:40")
    #expect(texts.origin(of: entry.losing, russian, now: date) == "Вы, 10:40")
    let named = HistoryEntry.Side(.number(1), at: date, by: .member("ben"))
    #expect(texts.origin(of: named, english, now: date) == "ben, 10:41")
    let honolulu = Localizer(.english, calendar: try .gregorian(in: "Pacific/Honolulu"))
    #expect(
      texts.origin(of: entry.winning, honolulu, now: date + 14 * 3_600)
        == "Another device, 00:41", "the day of the user")
  }

  @Test(arguments: [
    (Conflict.Reason.ended, "A deletion stays.", "Удаление остаётся в силе."),
    (
      .arrival, "The change that reached the server later stayed.",
      "Осталось то, что позже дошло до сервера."
    ),
    (.rule, "A rule of the app decided.", "Решило правило приложения."),
    (.later, "The later change stayed.", "Осталось более позднее изменение."),
  ])
  func `Without a decision, the reason is stated`(
    _ reason: Conflict.Reason, _ inEnglish: String, _ inRussian: String
  ) {
    let entry = entry(.deleted, .text("Alma"), reason)
    #expect(outcome(entry, english) == inEnglish)
    #expect(outcome(entry, russian) == inRussian)
  }

  @Test func `Two values that are the same are said to be so`() {
    let entry = entry(.number(4), .number(4), areEquivalent: true)
    #expect(outcome(entry, english) == "Both are the same.")
    #expect(outcome(entry, russian) == "Это одно и то же.")
    let count = HistoryValue.collection(LocalizedText(en: "5 items", ru: "5 пунктов"), own: [])
    #expect(outcome(self.entry(count, count), english) == "The later change stayed.")
  }

  @Test func `A decision is stated with its author and its date`() {
    func entry(_ choice: HistoryEntry.Choice?, _ author: HistoryEntry.Author) -> HistoryEntry {
      self.entry(
        .text("Alma"), .text("Bella"),
        decision: .init(choice: choice, author: author, date: date))
    }
    #expect(
      outcome(entry(.winning, .thisDevice), english) == "You chose “Alma”, 7 Jun 2027 at 10:41.")
    #expect(
      outcome(entry(.losing, .member("ben")), english)
        == "ben chose “Bella”, 7 Jun 2027 at 10:41.")
    #expect(
      outcome(entry(.both, .otherDevice), english)
        == "Another device chose both, 7 Jun 2027 at 10:41.")
    #expect(
      outcome(entry(nil, .thisDevice), english) == "You chose another value, 7 Jun 2027 at 10:41.")
    #expect(
      outcome(entry(.losing, .thisDevice), russian) == "Вы выбрали «Bella», 7 июня 2027 г., 10:41.")
  }

  @Test func `The buttons say whose value they keep, also to a third person`() {
    func titles(
      _ winning: HistoryEntry.Author, _ losing: HistoryEntry.Author,
      in language: Language = .english
    ) -> [String] {
      let entry = HistoryEntry(
        id: UUID(), place: HistoryPlace(Item.self, UUID()), row: nil,
        label: LocalizedText(en: "Boat", ru: "Лодка"),
        winning: .init(.number(4), at: date, by: winning),
        losing: .init(.number(6), at: date - 60, by: losing), reason: .later, areEquivalent: false,
        decision: nil, choices: [])
      return [HistoryEntry.Choice.winning, .losing].map {
        HistoryTexts().keeping($0, of: entry).in(language)
      }
    }
    #expect(titles(.thisDevice, .member("ben")) == ["Keep mine", "Keep theirs"])
    #expect(titles(.otherDevice, .thisDevice) == ["Keep theirs", "Keep mine"])
    #expect(titles(.member("ada"), .member("ben")) == ["Keep ada’s", "Keep ben’s"])
    #expect(
      titles(.member("ada"), .member("ben"), in: .russian)
        == ["Оставить вариант (ada)", "Оставить вариант (ben)"])
    #expect(titles(.member("ada"), .otherDevice) == ["Keep ada’s", "Keep this version"])
    #expect(
      titles(.member("ada"), .member("ada")) == ["Keep this version", "Keep this version"],
      "two devices of one account")
  }

  @Test func `The subject names the field, and the row if there are several`() {
    var texts = HistoryTexts()
    #expect(texts.subject(of: entry(.missing, .deleted)).in(.english) == "Boat:")
    let row = LocalizedText(en: "“Arrival”", ru: "«Приход»")
    let entry = entry(.missing, .deleted, row: row)
    #expect(texts.subject(of: entry).in(.english) == "“Arrival” – Boat:")
    #expect(texts.subject(of: entry).in(.russian) == "«Приход» – Лодка:")
    texts.deleted = LocalizedText(en: "reset", ru: "сброшено")
    #expect(texts.text(of: .deleted, russian) == "сброшено")
  }
}
