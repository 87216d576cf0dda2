import Foundation
import Offshore
import OffshoreHTTP
import OffshoreLogging
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import Synchronization
import TestSupport
import Testing

@testable import OffshorePages

@MainActor struct SecretAddressTests {
  /// Hashes in memory, which may refuse to be stored.
  private final class Digests: SecretStorage {
    private struct Full: Error {}
    let stored = Mutex<[String: String]>([:])
    let isFull = Mutex(false)

    func secretDigest(_ name: String) async throws -> String? { stored.withLock { $0[name] } }

    func storeSecretDigest(_ digest: String?, _ name: String) async throws {
      if isFull.withLock({ $0 }) { throw Full() }
      stored.withLock { $0[name] = digest }
    }
  }

  /// A row of the user.
  private struct Shift: Record, Identifiable {
    let id: UUID
    var ownerID: UUID
    static let table = Table(
      "shifts", Shift.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID))
    static let schema = StoreSchema(
      migrations: [Migration("v1", .create(Shift.table))],
      sync: try SyncSchema(
        version: 1, SyncTable(Shift.self, scope: .kind("person", \.ownerID)),
        personalKinds: ["person"]))
  }

  private let digests = Digests()

  private var feed: SecretAddress {
    SecretAddress("feed", suffix: ".ics", storedBy: digests)
  }

  /// A device with a launch token, an app that is mounted, and its feed.
  private var router: Router {
    var app = Router()
    app.addSecretAddress(feed) { request in
      if request.query["fails"] != nil { throw HTTPError(.conflict, "Not now.") }
      return .text("path \(request.path), query \(request.rawQuery), \(request.parameters)")
    }
    app.get("page") { _ in .text("page") }
    var router = Router(
      middleware: Middleware.deviceSecurity(token: LaunchToken(device: "1", secret: "s")))
    router.mount(app, at: "shifts")
    return router
  }

  private func get(_ path: String, _ method: Request.Method = .get) async -> Response {
    await router.respond(to: Request(method, "/shifts\(path)", headers: ["Host": "127.0.0.1"]))
  }

  // MARK: - Requests

  @Test func `The address is answered without a cookie, and every other page needs one`()
    async throws
  {
    let address = try await feed.create()
    #expect(address.wholeMatch(of: /\/feed\/[0-9a-z]{30,39}\.ics/) != nil)
    let response = await get(address)
    #expect(response.status == .ok && response.headers["Set-Cookie"] == nil)
    #expect(await get(address, .head).status == .ok)
    #expect(await get("/page").status == .unauthorized)
    #expect(await get(address, .post).status == .forbidden)
  }

  @Test func `The handler receives the request without the secret`() async throws {
    let address = try await feed.create()
    let text = await get("\(address)?from=2027-06-12").text
    #expect(text == "path /feed, query from=2027-06-12, [:]")
  }

  @Test func `Browsers send the address to no other page`() async throws {
    let address = try await feed.create()
    #expect(await get(address).headers.all("Referrer-Policy") == ["no-referrer"])
    #expect(await get("/feed/x.ics").headers.all("Referrer-Policy") == ["no-referrer"])
  }

  @Test func `Any other secret is not found, whether or not there is an address`() async throws {
    let before = await get("/feed/x.ics")
    let address = try await feed.create()
    let secret = try #require(address.firstMatch(of: /feed\/(\w+)\.ics/)).output.1
    let guesses = [
      "/feed/x.ics", "/feed/.ics", "/feed/\(secret)", "/feed/\(secret)x.ics",
      "/feed/\(secret.dropLast()).ics", "/feed/\(secret.uppercased()).ics",
      "/feed/\(secret).ics.ics", "/feed/\(secret).ICS", "/feed/%00.ics", "/feed/ics",
    ]
    for guess in guesses {
      let response = await get(guess)
      #expect([.notFound, .badRequest, .unauthorized].contains(response.status), "\(guess)")
      #expect(!response.text.contains("path"), "\(guess)")
    }
    let after = await get("/feed/x.ics")
    #expect(before.status == .notFound && after.status == before.status)
    #expect(before.text == after.text && before.headers == after.headers)
  }

  @Test func `An error of the handler is its text`() async throws {
    let response = await get(try await feed.create() + "?fails=")
    #expect(response.status == .conflict && response.text == "Not now.")
    #expect(response.headers["Content-Type"]?.hasPrefix("text/plain") == true)
  }

  // MARK: - Lifetime

  @Test func `A withdrawn address is not found any more`() async throws {
    let address = try await feed.create()
    #expect(try await feed.isActive)
    try await feed.withdraw()
    #expect(try await !feed.isActive)
    #expect(await get(address).status == .notFound)
  }

  @Test func `A new address replaces the former one`() async throws {
    let (former, current) = (try await feed.create(), try await feed.create())
    #expect(former != current)
    #expect(await get(former).status == .notFound)
    #expect(await get(current).status == .ok)
  }

  @Test func `A part hides its address when another page replaces or withdraws it`() async throws {
    let say = Localizer(.english, calendar: .utc)
    let feed = feed
    let (one, other) = (SecretAddressForm(feed), SecretAddressForm(feed))
    func markup(_ part: SecretAddressForm) -> String {
      part.html(to: "/export", say).description
    }
    _ = try await one.perform(PageForm(["action": "create-address"]))
    #expect(markup(one).contains(#"id="secret-address""#))
    #expect(markup(other).contains("There is an address."))
    _ = try await other.perform(PageForm(["action": "create-address"]))
    #expect(!markup(one).contains(#"id="secret-address""#))
    #expect(markup(other).contains(#"id="secret-address""#))
    _ = try await one.perform(PageForm(["action": "withdraw-address"]))
    #expect(!markup(other).contains(#"id="secret-address""#))
    #expect(markup(other).contains("There is no address yet."))
  }

  @Test func `A read of the state does not replace a later change`() async throws {
    let state = SecretAddressState()
    try await state.load {
      state.change(isActive: true)
      return false
    }
    #expect(state.isActive)
    try await state.load { false }
    #expect(!state.isActive)
  }

  @Test func `If a new address cannot be stored, the former one still exists`() async throws {
    let address = try await feed.create()
    digests.isFull.withLock { $0 = true }
    await #expect(throws: (any Error).self) { try await feed.create() }
    await #expect(throws: (any Error).self) { try await feed.withdraw() }
    #expect(await get(address).status == .ok)
  }

  @Test func `The secret is not stored, and addresses differ`() async throws {
    let feed = SecretAddress("feed", storedBy: digests) { "s3cret" }
    #expect(try await feed.create() == "/feed/s3cret")
    let stored = try #require(digests.stored.withLock { $0["feed"] })
    #expect(stored.wholeMatch(of: /[0-9a-f]{64}/) != nil && !stored.contains("s3cret"))
    let other = SecretAddress("team/feed", storedBy: digests)
    #expect(try await other.create().hasPrefix("/team/feed/"))
    #expect(digests.stored.withLock { $0.keys.sorted() } == ["feed", "team/feed"])
  }

  @Test func `A store of an app stores the hash, and erasing it withdraws the address`()
    async throws
  {
    var environment = SyncedStore.Environment()
    environment.logger = AppLogger(.sync, to: .none)
    let store = try SyncedStore.temporary(schema: Shift.schema, environment: environment)
    let feed = SecretAddress("feed", storedBy: store)
    #expect(try await !feed.isActive)
    let secret = try await feed.create().dropFirst("/feed/".count)
    #expect(try await feed.isActive)
    let settings = try await store.read {
      try SQL("SELECT value FROM settings").all($0, as: String.self)
    }
    #expect(settings.contains { $0.count == 64 } && !settings.contains(String(secret)))
    try await store.erase()
    #expect(try await !feed.isActive)
  }
}
