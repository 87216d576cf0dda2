import Foundation
import Observation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import Testing

@testable import OffshoreHost

/// The addresses of a device with several apps.
@MainActor struct AppPathsTests {
  private let home = HomeFolder()

  private func device(_ names: String...) async throws -> TestDevice {
    try await TestDevice(names.map { MemoApp.named($0, "App \($0)") }, in: home)
  }

  @Test func `Each app has pages below its path, and a file of its own`() async throws {
    let device = try await device("first", "second")
    #expect(await device.post("/first/memos", ["text": "of the first"]).status == .seeOther)
    #expect(await device.get("/first/memos").text.contains("of the first"))
    let second = await device.get("/second/memos").text
    #expect(second.contains("App second</h1>") && !second.contains("of the first"))
    let users = device.apps.map(\.sync.session.userID)
    #expect(Set(users).count == 2)
    await device.stop()
    let files = try FileManager.default.contentsOfDirectory(atPath: home.path)
    #expect(files.contains("first.sqlite") && files.contains("second.sqlite"))
  }

  @Test func `An answer of an app leads below its path`() async throws {
    let device = try await device("first", "second")
    #expect(await device.get("/second/").headers["Location"] == "/second/memos")
    #expect(
      await device.post("/second/memos", ["text": "x"]).headers["Location"] == "/second/memos")
    #expect(await device.get("/second/memos").text.contains("action=\"/second/memos\""))
    await device.stop()
  }

  @Test func `The first page lists the apps, or leads to the only one`() async throws {
    let several = try await device("first", "second")
    let page = await several.get("/").text
    #expect(page.contains("href=\"/first/\"") && page.contains("App second"))
    #expect(page.matches(of: /Not synced/).count == 2)
    #expect(await several.get("/second/memos").text.contains("<a href=\"/live/apps\">‹ Apps</a>"))
    #expect(await several.get("/live/apps").headers["Location"] == "/")
    await several.stop()
    let single = try await device("first")
    #expect(await single.get("/").headers["Location"] == "/first/")
    #expect(await single.get("/first/memos").text.contains("/live/apps") == false)
    await single.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `The first page shows the badge of an app, and each change of it`() async throws {
    let letters = Letters()
    let app = MemoApp.named("letters", badge: { letters.badge })
    let device = try await TestDevice([MemoApp.named("first"), app], in: home)
    let page = await device.get("/")
    #expect(!page.text.contains("class=\"badge"))
    let tab = try #require(page.tab)
    guard case .events(let changes) = await device.get("/live/\(tab)?after=0").body else {
      Issue.record("The page is not live.")
      return
    }
    letters.unread = 3
    var change = ""
    while !change.contains("3 unread letters"), let next = await changes.next()?.data {
      change = next
    }
    #expect(change.contains("3 unread letters"))
    changes.close()
    let again = await device.get("/").text
    #expect(again.contains("role=\"img\" aria-label=\"3 unread letters\">3</span>"))
    await device.stop()
  }

  @Test func `An address without an app leads to the first app that has the page`() async throws {
    let device = try await device("first", "second")
    let id = UUID().uuidString
    for (path, location) in [
      ("/memos", "/first/memos"), ("/memos/\(id)?a=b%20c", "/first/memos/\(id)?a=b%20c"),
      ("/open?link=appsecond://memos", "/second/open?link=appsecond://memos"),
      ("/open?link=other://memos", "/first/open?link=other://memos"),
      ("/profile", "/first/profile"),
    ] {
      let response = await device.get(path)
      #expect(response.status == .permanentRedirect && response.headers["Location"] == location)
      #expect(response.headers["Cache-Control"] == "no-store")
    }
    let posted = await device.post("/memos", ["text": "kept"])
    #expect(posted.status == .permanentRedirect && posted.headers["Location"] == "/first/memos")
    #expect(await device.get("/first/memos").text.contains("kept") == false)
    #expect(await device.get("/nowhere").status == .notFound)
    #expect(await device.get("/third/memos").status == .notFound)
    await device.stop()
  }

  @Test func `A tab of one app does not perform the forms of another`() async throws {
    let device = try await device("first", "second")
    let tab = try #require(await device.get("/first/memos").tab)
    // The tab of the first app is not at this address, so a page of the second app performs the
    // form.
    let crossed = await device.post("/second/memos", ["text": "for the second"], tab: tab)
    #expect(crossed.status == .seeOther)
    #expect(await device.get("/second/memos").text.contains("for the second"))
    #expect(await device.get("/first/memos").text.contains("for the second") == false)
    let own = await device.post("/first/memos", ["text": "for the first"], tab: tab)
    #expect(own.status == .noContent)
    await device.stop()
  }

  @Test func `An app closes its own pages, and none of another app`() async throws {
    let opened = OpenedApp()
    let apps = [
      MemoApp.named("first"), MemoApp.named("second", opened: { opened.device = $0 }),
    ]
    let device = try await TestDevice(apps, in: home)
    let first = try #require(await device.get("/first/memos").tab)
    let second = try #require(await device.get("/second/memos").tab)
    let (stays, ends) = (try await device.stream(first), try await device.stream(second))
    opened.device?.refetchPages()
    #expect(stays.isOpen && !ends.isOpen)
    await device.stop()
  }

  @Test func `Each app has the system pages, and its deep links`() async throws {
    let device = try await device("first", "second")
    for path in ["profile", "profile/account", "profile/sync", "settings", "about"] {
      let page = await device.get("/second/\(path)")
      #expect(page.status == .ok && page.text.contains("href=\"/second/memos\""), "\(path)")
    }
    #expect(
      await device.get("/second/open?link=appsecond://memos").headers["Location"]
        == "/second/memos")
    #expect(await device.get("/second/open?link=appfirst://memos").text.contains("open-form"))
    await device.stop()
  }

  @Test func `A page of the app replaces the system page at its address, and no other`()
    async throws
  {
    let app = MemoApp.named("first") { router in
      router.get("about") { _ in .text("About the memos") }
    }
    let device = try await TestDevice([app], in: home)
    #expect(await device.get("/first/about").text == "About the memos")
    #expect(await device.post("/first/about", [:]).status == .methodNotAllowed)
    for path in ["profile", "profile/account", "profile/sync", "settings", "open"] {
      #expect(await device.get("/first/\(path)").status == .ok, "\(path)")
    }
    await device.stop()
  }

  @Test func `An app is not named after a path of a server`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = MemoApp.named("metrics")
    }
    let error = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(error.contains("“metrics” is not the name of an app."))
  }

  @Test func `Each app has its own language`() async throws {
    let device = try await device("first", "second")
    #expect(device.apps[1].openApp.frame.language.use(code: "ru"))
    await device.apps[1].openApp.frame.language.settled()
    #expect(await device.get("/first/memos").text.contains(#"<html lang="en">"#))
    #expect(await device.get("/second/memos").text.contains(#"<html lang="ru">"#))
    await device.stop()
  }

  @Test func `Without the launch token nothing is answered`() async throws {
    let device = try await device("first", "second")
    for path in ["/", "/first/memos", "/memos", "/second/"] {
      var request = Request(.get, path)
      request.headers["Host"] = "127.0.0.1:8080"
      #expect(await device.router.respond(to: request).status == .unauthorized, "\(path)")
    }
    await device.stop()
  }
}

/// The device of an app, once it is open.
@MainActor private final class OpenedApp {
  var device: AppDevice?
}

/// The unread letters of an app.
@MainActor @Observable private final class Letters {
  var unread = 0
  var badge: AppBadge? {
    unread == 0
      ? nil
      : AppBadge(
        "\(unread)", label: LocalizedText(verbatim: "\(unread) unread letters"))
  }
}
