import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import OffshorePages
@testable import OffshoreWeb

@MainActor struct RemovalPageTests {
  private enum Route: PageRoute {
    case used, unused, missing

    var path: RoutePath {
      switch self {
      case .used: "used"
      case .unused: "unused"
      case .missing: "missing"
      }
    }

    static let all = [RouteCase(Route.used), RouteCase(.unused), RouteCase(.missing)]
  }

  /// The choices with which entries were removed.
  private final class Removals {
    var choices: [String?] = []
  }

  private let app: SampleApp
  private let removals: Removals

  init() async throws {
    let removals = Removals()
    self.removals = removals
    app = try await SampleApp(addPages: { router, frame in
      router.addPages(Route.self, of: frame) { route, _ in
        RemovalPage(frame, in: "lists", back: PageLink("Lists", to: "/")) {
          switch route {
          case .used:
            RemovalPage.Subject(
              "Tent", question: LocalizedText(verbatim: "2 things are in it."),
              choices: [DraftChoice("clear", LocalizedText(verbatim: "Delete them"))])
          case .unused: RemovalPage.Subject("Rope")
          case .missing: nil
          }
        } remove: {
          removals.choices.append($0)
        }
      }
    })
  }

  @Test func `An entry that is not used is removed without a choice`() async {
    #expect(await app.get("/unused").text.contains("Delete “Rope”"))
    #expect(await app.post("/unused", ["action": "remove"]).status == .seeOther)
    #expect(removals.choices == [nil])
  }

  @Test func `An entry that is used is removed after a choice`() async {
    #expect(await app.get("/used").text.contains("2 things are in it."))
    for choice in ["", "others"] {
      let refused = await app.post("/used", ["action": "remove", "choice": choice])
      #expect(refused.status == .unprocessableContent)
      #expect(refused.text.contains("Choose what happens to them."))
    }
    #expect(removals.choices.isEmpty)
    let response = await app.post("/used", ["action": "remove", "choice": "clear"])
    #expect(response.status == .seeOther)
    #expect(removals.choices == ["clear"])
  }

  @Test func `The error of a removal is shown until the next attempt`() async throws {
    let page = RemovalPage(app.frame, in: "lists", back: PageLink("Lists", to: "/")) {
      RemovalPage.Subject(
        "Tent", question: LocalizedText(verbatim: "2 things are in it."),
        choices: [DraftChoice("clear", LocalizedText(verbatim: "Delete them"))])
    } remove: { _ in
      throw AppError.database(.full)
    }
    func markup() -> String {
      String(decoding: Tab(id: "tab", address: "/used", page: page).render(), as: UTF8.self)
    }
    let sentence = app.frame.say(AppError.database(.full).localizedMessage)
    let form: Fields = ["action": "remove", "choice": "clear"]
    #expect(try await page.perform(PageForm(form)) == .invalid)
    #expect(markup().contains(sentence))
    #expect(try await page.perform(PageForm(["action": "remove"])) == .invalid)
    #expect(markup().contains("Choose what happens to them."))
    #expect(!markup().contains(sentence))
  }

  @Test func `A form for an entry that was deleted already leads back`() async {
    #expect(await app.post("/missing", ["action": "remove"]).status == .seeOther)
  }
}
