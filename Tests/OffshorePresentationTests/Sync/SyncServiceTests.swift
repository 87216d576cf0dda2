import Foundation
import Offshore
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// Devices and a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncServiceTests {
  private let server: LoopbackServer

  init() async throws { server = try LoopbackServer() }

  // MARK: - Two devices

  @Test func `Three lines are enough to sync two devices`() async throws {
    let store = try Journey.open()
    let sync = try await store.sync(with: server.url)
    try await sync.signUp(name: "skipper", password: "correct horse")
    try await store.addTrip("Kornati")
    let other = try await server.device(of: "skipper")
    try await other.store.wait(for: "SELECT name FROM trips", toBe: ["Kornati"])
    try await other.store.run("UPDATE trips SET name = 'Vis'")
    try await store.wait(for: "SELECT name FROM trips", toBe: ["Vis"])
    await server.end(sync, other)
  }

  @Test func `Rows from before the sign-up belong to the account`() async throws {
    let first = try await server.device(of: "skipper")
    let sync = try await server.device()
    let note = Note(id: UUID(), ownerID: sync.session.userID, title: "Fuel")
    try await sync.store.write { try note.insert($0) }
    try await sync.signIn(name: "skipper", password: "correct horse")
    #expect(sync.session.userID == first.session.userID)
    try await first.store.wait(for: "SELECT title FROM notes", toBe: ["Fuel"])
    await server.end(first, sync)
  }

  @Test func `A signed-in device continues to sync after the next start`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "journey.sqlite").path(percentEncoded: false)
    let first = try await Journey.open(path).sync(with: server.url)
    try await first.signUp(name: "skipper", password: "correct horse")
    try await first.setAirplane(true)
    await first.stop()
    try await first.store.addTrip("Kornati")
    await first.store.close()
    let second = try await Journey.open(path).sync(with: server.url)
    #expect(second.session.isSignedIn && second.isAirplane, "the switch is remembered")
    await second.start()
    await waitUntil { second.indicator == .airplane(1) }
    try await second.setAirplane(false)
    try await second.store.waitUntilSent()
    await second.stop()
    await second.store.close()
    let elsewhere = try LoopbackServer()
    let third = try await Journey.open(path).sync(with: elsewhere.url)
    await third.start()
    #expect(!third.session.isSignedIn && third.session.formerServer == server.url.origin)
    await third.syncNow()
    #expect(elsewhere.requestCount == 0, "an access token is for the server that issued it")
    await elsewhere.end(third)
    await server.end()
  }

  // MARK: - Airplane mode

  @Test func `The switch and the language are read from the settings of released apps`()
    async throws
  {
    let store = try Journey.open()
    try await store.run("INSERT INTO settings VALUES ('airplane', 'on'), ('language', 'ru')")
    #expect(try await store.sync(with: server.url).isAirplane)
    #expect(try await store.languageCode() == "ru")
    try await store.storeLanguage(code: "en")
    #expect(try await store.languageCode() == "en")
    await server.end()
  }

  @Test func `In airplane mode no request is sent, and all changes are sent after it`() async throws
  {
    let sync = try await server.device(of: "skipper")
    await waitUntil { sync.indicator == .synced }
    try await sync.setAirplane(true)
    let count = server.requestCount
    try await sync.store.addTrip("Kornati")
    #expect(sync.connection == .airplane && sync.blockingError == .network(.offline))
    await #expect(throws: AppError.network(.offline)) { try await sync.pull() }
    await #expect(throws: AppError.network(.offline)) {
      try await sync.session.changePassword(from: "correct horse", to: "battery staple")
    }
    await sync.syncNow()
    try await sync.signOut()
    await sync.session.revocation?.value
    await #expect(throws: AppError.network(.offline)) {
      try await sync.signIn(name: "skipper", password: "correct horse")
    }
    #expect(server.requestCount == count)
    try await sync.setAirplane(false)
    try await sync.signIn(name: "skipper", password: "correct horse")
    try await sync.store.waitUntilSent()
    let other = try await server.device(of: "skipper")
    try await other.store.wait(for: "SELECT name FROM trips", toBe: ["Kornati"])
    await server.end(sync, other)
  }

  @Test func `Of several requests in a row the last one counts`() async throws {
    let sync = try await server.device(of: "skipper")
    await waitUntil { sync.indicator == .synced }
    async let start: Void = sync.start()
    async let off: Void = sync.setAirplane(true)
    async let again: Void = sync.start()
    _ = try await (start, off, again)
    let count = server.requestCount
    try await sync.store.addTrip("Kornati")
    await waitUntil { sync.indicator == .airplane(1) }
    #expect(server.requestCount == count)
    await server.end(sync)
  }

  // MARK: - Failures

  @Test func `A failing server is not reported as unreachable, and is logged once`()
    async throws
  {
    let log = Log()
    let sync = try await server.device(of: "skipper", log: log)
    await waitUntil { sync.indicator == .synced }
    #expect(log.lines.isEmpty)
    server.isFailing = true
    try await sync.store.addTrip("Secret cove")
    await waitUntil { sync.indicator == .failed(1) }
    #expect(sync.connection == .failed && sync.blockingError == sync.lastError)
    guard case .failed = sync.state else { return #expect(Bool(false), "\(sync.state)") }
    await sync.syncNow()
    server.isFailing = false
    await sync.syncNow()
    await waitUntil { sync.indicator == .synced }
    #expect(log.lines == ["warning sync sync failed error=Failure.server"])
    await server.end(sync)
  }

  @Test func `A pull waits for the rows, but not for a slow server`() async throws {
    let sync = try await server.device(of: "skipper")
    let other = try await server.device(sleep: { _ in })
    try await other.signIn(name: "skipper", password: "correct horse")
    try await sync.store.addTrip("Kornati")
    try await sync.store.waitUntilSent()
    let patient = try await server.device(of: "skipper")
    try await patient.pull()
    #expect(try await patient.store.texts("SELECT name FROM trips") == ["Kornati"])
    server.gate.close()
    try await other.pull()
    #expect(other.state == .syncing)
    server.gate.open()
    await waitUntil { if case .synced = other.state { true } else { false } }
    try await other.store.wait(for: "SELECT name FROM trips", toBe: ["Kornati"])
    await server.end(sync, patient, other)
  }

  @Test func `Without a server or an account a pull returns at once`() async throws {
    let alone = try await Journey.open().sync(with: nil)
    try await alone.pull()
    #expect(alone.client == nil && alone.accounts == nil && alone.state == .idle)
    await alone.start()
    await alone.stop()
    let sync = try await server.device()
    try await sync.pull()
    #expect(sync.blockingError == .auth(.notSignedIn) && sync.nextRetry == nil)
    #expect(server.requestCount == 0)
    await server.end(sync)
  }

  @Test func `A drain returns when all changes are sent, and names the reason if they are not`()
    async throws
  {
    let sync = try await server.device(of: "skipper")
    try await sync.store.addTrip("Kornati")
    try await sync.drain()
    #expect(try await sync.pendingCount() == 0)
    server.isFailing = true
    try await sync.store.addTrip("Vis")
    await #expect(throws: AppError.self) { try await sync.drain() }
    #expect(try await sync.pendingCount() == 1)
    server.isFailing = false
    try await sync.setAirplane(true)
    await #expect(throws: AppError.network(.offline)) { try await sync.drain() }
    try await sync.setAirplane(false)
    try await sync.drain()
    #expect(try await sync.pendingCount() == 0)
    let other = try await server.device(of: "skipper")
    try await other.pull()
    #expect(try await other.store.texts("SELECT name FROM trips ORDER BY 1") == ["Kornati", "Vis"])
    try await sync.signOut()
    try await sync.drain()
    await server.end(sync, other)
  }

  // MARK: - Seeds

  private func seeds(_ title: String) -> SyncService.Seeds {
    { [Note(id: UUID(), ownerID: $0, title: title)] }
  }

  @Test func `A first start is seeded, and an account preserves its rows`() async throws {
    let first = try await server.device(seeds: seeds("Fuel"))
    #expect(try await first.store.texts("SELECT title FROM notes") == ["Fuel"])
    try await first.signUp(name: "skipper", password: "correct horse")
    try await first.store.waitUntilSent()
    let store = try Journey.open()
    let second = try await store.sync(with: server.url)
    try await second.signIn(name: "skipper", password: "correct horse")
    await second.stop()
    let third = try await store.sync(with: server.url, seeds: seeds("Gas"))
    await third.start()
    try await store.wait(for: "SELECT title FROM notes", toBe: ["Fuel"])
    await waitUntil { third.indicator == .synced }
    await third.stop()
    #expect(try await store.texts("SELECT title FROM notes") == ["Fuel"])
    await server.end(first)
  }

  @Test func `An account without rows is seeded once they could have arrived`() async throws {
    let first = try await server.device(of: "skipper")
    let second = try await server.device()
    try await second.signIn(name: "skipper", password: "correct horse")
    await second.stop()
    let third = try await second.store.sync(with: server.url, seeds: seeds("Gas"))
    #expect(try await third.store.texts("SELECT title FROM notes") == [], "it has an account")
    await third.start()
    try await third.store.wait(for: "SELECT title FROM notes", toBe: ["Gas"])
    try await first.store.wait(for: "SELECT title FROM notes", toBe: ["Gas"])
    await server.end(first, third)
  }

  // MARK: - Erasing

  @Test func `After an erasure another account signs in, and the first one has lost nothing sent`()
    async throws
  {
    let sync = try await server.device(of: "skipper")
    try await sync.store.addTrip("Kornati")
    try await sync.store.waitUntilSent()
    let (accounts, token) = (try #require(sync.accounts), try #require(sync.session.token))
    try await sync.signOut(erasing: true)
    #expect(sync.session.account == nil && !sync.session.isSignedIn)
    await sync.session.revocation?.value
    await #expect { try await accounts.devices(token: token) } throws: {
      ($0 as? AccountClient.Failure)?.code == .unauthorized
    }
    #expect(try await sync.store.texts("SELECT name FROM trips") == [])
    try await sync.store.addTrip("Vis")
    try await sync.signUp(name: "mate", password: "correct horse")
    #expect(sync.session.account?.name == "mate")
    try await sync.store.waitUntilSent()
    let (first, second) = (
      try await server.device(of: "skipper"), try await server.device(of: "mate")
    )
    try await first.store.wait(for: "SELECT name FROM trips", toBe: ["Kornati"])
    try await second.store.wait(for: "SELECT name FROM trips", toBe: ["Vis"])
    await waitUntil { sync.indicator == .synced }
    await server.end(sync, first, second)
  }

  @Test func `An erasure removes pending changes, ends airplane mode, and seeds anew`()
    async throws
  {
    let sync = try await server.device(of: "skipper", seeds: seeds("Fuel"))
    try await sync.setAirplane(true)
    try await sync.store.addTrip("Kornati")
    let former = sync.session.userID
    try await sync.signOut(erasing: true)
    #expect(sync.session.userID != former && !sync.isAirplane)
    #expect(sync.storeStatus == SyncedStore.Status() && sync.indicator == .notSynced)
    let notes = try await sync.store.read { try Note.all.all($0) }
    #expect(notes.map(\.title) == ["Fuel"] && notes.map(\.ownerID) == [sync.session.userID])
    try await sync.signIn(name: "skipper", password: "correct horse")
    #expect(sync.session.userID == former)
    await waitUntil { sync.indicator == .synced }
    #expect(try await sync.store.texts("SELECT name FROM trips") == [])
    await server.end(sync)
  }

  @Test func `A device that is signed out is erased, too`() async throws {
    let sync = try await server.device(of: "skipper")
    try await sync.store.addTrip("Kornati")
    try await sync.signOut()
    #expect(sync.session.account?.name == "skipper")
    try await sync.signOut(erasing: true)
    #expect(sync.session.account == nil)
    #expect(try await sync.store.texts("SELECT name FROM trips") == [])
    await server.end(sync)
  }

  @Test func `If the file cannot be erased, the device stays signed in and goes on syncing`()
    async throws
  {
    let sync = try await server.device(of: "skipper")
    await waitUntil { sync.indicator == .synced }
    try await sync.store.run(
      """
      CREATE TRIGGER full BEFORE INSERT ON settings WHEN new.name = 'erasure'
      BEGIN SELECT RAISE(ABORT, 'full'); END
      """)
    await #expect(throws: DatabaseError.self) { try await sync.signOut(erasing: true) }
    #expect(sync.session.isSignedIn)
    try await sync.store.addTrip("Kornati")
    let other = try await server.device(of: "skipper")
    try await other.store.wait(for: "SELECT name FROM trips", toBe: ["Kornati"])
    await server.end(sync, other)
  }
}

extension SyncService {
  /// Returns the number of changes that are pending now.
  fileprivate func pendingCount() async throws -> Int {
    try await store.read { [store] in try store.replica.status($0).pending }
  }
}
