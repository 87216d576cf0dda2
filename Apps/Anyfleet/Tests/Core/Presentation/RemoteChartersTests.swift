import AnyfleetTestSupport
import Foundation
import OffshorePresentation
import ServerSupport
import TestSupport
import Testing

@testable import Anyfleet

/// The charters that the store receives from the server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct RemoteChartersTests {
  private let fixture: Fixture

  init() throws { fixture = try Fixture() }

  private func store(_ api: CharterAPIDouble) -> CharterStore {
    CharterStore(repository: fixture.repository, apiClient: api)
  }

  // MARK: - One charter

  @Test func `A charter on the device is fetched without a request`() async throws {
    let charter = try await fixture.charter()
    let api = CharterAPIDouble()
    #expect(try await store(api).fetchCharter(charter.id) == charter)
    #expect(api.requestedPaths.isEmpty)
  }

  @Test func `A charter that is not on the device is fetched from the server`() async throws {
    var charter = CharterModel.sample()
    charter.syncStatus = .synced
    let api = CharterAPIDouble(try CharterDTO(charter))
    let store = store(api)
    #expect(try await store.fetchCharter(charter.id) == charter)
    #expect(api.requestedPaths == [CharterDTO.path(of: charter.id)])
    #expect(try await fixture.repository.fetchAllCharters().isEmpty, "it comes by syncing alone")
    await #expect(throws: RepositoryError.notFound) { try await store.fetchCharter(UUID()) }
  }

  @Test func `An unreadable charter of the server is reported with its column`() async throws {
    var damaged = try CharterDTO(.sample())
    damaged.values.guests = 0
    let id = try #require(UUID(uuidString: damaged.id))
    await #expect(throws: RepositoryError.serializationFailed(row: damaged.id, column: "guests")) {
      try await store(CharterAPIDouble(damaged)).fetchCharter(id)
    }
  }

  @Test func `Whether a charter exists is unknown if the server cannot be reached`() async throws {
    let api = CharterAPIDouble()
    api.fail(with: .network(.timedOut))
    await #expect(throws: AppError.network(.timedOut)) {
      try await store(api).fetchCharter(UUID())
    }
    api.fail(with: .auth(.notSignedIn))
    await #expect(throws: RepositoryError.notFound) { try await store(api).fetchCharter(UUID()) }
  }

  @Test func `A charter that was just deleted does not exist, even if the server still has it`()
    async throws
  {
    let charter = try await fixture.charter()
    let api = CharterAPIDouble(try CharterDTO(charter))
    let store = store(api)
    try await store.deleteCharter(charter.id)
    await #expect(throws: RepositoryError.notFound) { try await store.fetchCharter(charter.id) }
    #expect(api.requestedPaths.isEmpty)
  }

  // MARK: - All charters

  @Test(arguments: [true, false])
  func `Charters of other devices are stored when loading has finished`(_ preserves: Bool)
    async throws
  {
    let never = Gate()
    let fleet = try SyncedFleet()
    let first = try await fleet.makeApp(of: "skipper")
    let second = try await fleet.makeApp(of: "skipper") { $0.sleep = { _ in await never.pass() } }
    let (charter, _) = try await first.makeCharter("Vis")
    try await first.waitUntilSent()
    let store = second.charterStore
    #expect(store.charterState.isIdle)
    await store.loadRemoteCharters(preserveExisting: preserves)
    #expect(store.charters.map(\.id) == [charter.id] && store.remoteError == nil)
    never.open()
    await fleet.end(first, second)
  }

  @Test func `While loading, the charters stay shown or are cleared, as requested`()
    async throws
  {
    let (never, fleet) = (Gate(), try SyncedFleet())
    let gate = fleet.server.gate
    let app = try await fleet.makeApp(of: "skipper") { $0.sleep = { _ in await never.pass() } }
    let (charter, _) = try await app.makeCharter()
    try await app.waitUntilSent()
    let store = app.charterStore
    await store.loadCharters()
    gate.close()
    let keeping = Task { await store.refreshCharters() }
    await gate.waitUntilHeld()
    #expect(store.charters.map(\.id) == [charter.id])
    let replacing = Task { await store.loadRemoteCharters(preserveExisting: false) }
    await waitUntil { store.charterState.isLoading }
    #expect(store.charters.isEmpty)
    gate.open()
    await keeping.value
    await replacing.value
    #expect(store.charters.map(\.id) == [charter.id])
    never.open()
    await fleet.end(app)
  }

  @Test func `A failing server removes no charter, and its error shows until it answers`()
    async throws
  {
    let (never, fleet) = (Gate(), try SyncedFleet())
    let app = try await fleet.makeApp(of: "skipper") { $0.sleep = { _ in await never.pass() } }
    let (charter, _) = try await app.makeCharter()
    try await app.waitUntilSent()
    let store = app.charterStore
    fleet.server.isFailing = true
    await store.loadRemoteCharters(preserveExisting: true)
    #expect(store.remoteError == .network(.server(statusCode: 500)))
    #expect(store.charters.map(\.id) == [charter.id])
    // The engine retries meanwhile, and fails too.
    await waitUntil { if case .failed = app.sync.state { true } else { false } }
    fleet.server.isFailing = false
    await store.refreshCharters()
    #expect(store.remoteError == nil)
    try await app.sync.setAirplane(true)
    await store.refreshCharters()
    #expect(store.remoteError == .network(.offline))
    try await app.session.signOut()
    #expect(store.remoteError == nil, "nobody is asked any more")
    never.open()
    await fleet.end(app)
  }

  @Test
  func `With syncing switched off the device is offline, whatever the server answered before`()
    async throws
  {
    let (never, fleet) = (Gate(), try SyncedFleet())
    let app = try await fleet.makeApp(of: "skipper") { $0.sleep = { _ in await never.pass() } }
    let store = app.charterStore
    await store.refreshCharters()
    try await app.sync.setAirplane(true)
    #expect(store.remoteError == nil, "nothing was asked for since")
    try await app.sync.setAirplane(false)
    fleet.server.isFailing = true
    #expect(await !app.makeCharterList().refresh())
    #expect(store.remoteError == .network(.server(statusCode: 500)))
    try await app.sync.setAirplane(true)
    #expect(store.remoteError == .network(.offline))
    never.open()
    await fleet.end(app)
  }

  @Test func `A cancelled refresh does not count as a refresh`() async throws {
    let (never, fleet) = (Gate(), try SyncedFleet())
    let gate = fleet.server.gate
    let app = try await fleet.makeApp(of: "skipper") { $0.sleep = { _ in await never.pass() } }
    await waitUntil { app.sync.indicator == .synced }
    gate.close()
    let refreshing = Task { await app.makeCharterList().refresh() }
    await gate.waitUntilHeld()
    await app.sync.stop()
    #expect(await !refreshing.value)
    #expect(app.charterStore.remoteError == nil)
    gate.open()
    never.open()
    await fleet.end(app)
  }

  @Test func `A slow server does not delay loading, and its charters show later`() async throws {
    let fleet = try SyncedFleet()
    let gate = fleet.server.gate
    let first = try await fleet.makeApp(of: "skipper")
    let second = try await fleet.makeApp(of: "skipper") { $0.sleep = { _ in } }
    await waitUntil { second.sync.indicator == .synced }
    try await second.sync.setAirplane(true)
    let (charter, _) = try await first.makeCharter()
    try await first.waitUntilSent()
    gate.close()
    try await second.sync.setAirplane(false)
    let store = second.charterStore
    await store.loadChartersOfflineFirst()
    await store.backgroundPull?.value
    #expect(store.charterState.isEmpty && store.remoteError == nil)
    #expect(second.sync.state == .syncing)
    gate.open()
    await waitUntil { store.charters.map(\.id) == [charter.id] }
    await waitUntil { if case .synced = second.sync.state { true } else { false } }
    await fleet.end(first, second)
  }

  @Test func `A device without a server has all its charters`() async throws {
    let charter = try await fixture.charter()
    let store = CharterStore(repository: fixture.repository)
    await store.loadRemoteCharters(preserveExisting: false)
    #expect(store.charters == [charter] && store.remoteError == nil)
    let app = try await AppDependencies.makeForTesting()
    #expect(app.sync.state == .idle)
    try await app.sync.pull()
    await #expect(throws: RepositoryError.notFound) {
      try await app.charterStore.fetchCharter(UUID())
    }
  }
}
