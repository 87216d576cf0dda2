import AnyfleetTestSupport
import Foundation
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

@testable import Anyfleet

/// The row API of a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct LiveCharterAPITests {
  private struct Rows: Decodable {
    let next: String?
    let rows: [CharterDTO]
  }

  private func api(_ app: AppDependencies) throws -> any CharterAPI {
    try #require(app.charterStore.remote.apiClient)
  }

  private func charter() -> CharterModel {
    var charter = CharterModel.sample("Lastovo & Vis")
    charter.crew = [CrewMember(name: "Ana", role: .skipper)]
    charter.budget = CharterBudget(amount: 1200, currencyCode: "EUR")
    charter.syncStatus = .synced
    return charter
  }

  @Test
  func `A charter that is added on the server is stored there unchanged, and reaches the device`()
    async throws
  {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    let (api, charter) = (try api(app), charter())
    let added: CharterDTO = try await api.post(
      path: CharterDTO.path, body: try CharterDTO(charter))
    #expect(try added.charter() == charter)
    let found: CharterDTO = try await api.get(path: CharterDTO.path(of: charter.id))
    #expect(found == added)
    #expect(try await app.waitForCharter(charter.id) { $0.syncStatus == .synced } == charter)
    await fleet.end(app)
  }

  @Test func `A charter that is created on the device is read from the server unchanged`()
    async throws
  {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    var charter = charter()
    try await app.local.createCharter(charter)
    try await app.waitUntilSent()
    let found: CharterDTO = try await api(app).get(path: CharterDTO.path(of: charter.id))
    charter.syncStatus = .synced
    #expect(try found.charter() == charter)
    await fleet.end(app)
  }

  @Test func `A change and a deletion on the server reach the device`() async throws {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    let (api, path) = (try api(app), CharterDTO.path)
    var sent = try CharterDTO(charter())
    let id = try #require(UUID(uuidString: sent.id))
    let _: CharterDTO = try await api.post(path: path, body: sent)
    (sent.values.name, sent.values.budget) = ("Mljet", nil)
    let changed: CharterDTO = try await api.patch(
      path: CharterDTO.path(of: id), body: ["values": sent.values])
    #expect(changed.values == sent.values)
    let here = try await app.waitForCharter(id) { $0.name == "Mljet" }
    #expect(here?.budget == nil)
    try await api.delete(path: CharterDTO.path(of: id))
    try await app.waitUntilGone(id)
    await #expect(throws: AppError.content(.notFound)) {
      let _: CharterDTO = try await api.get(path: CharterDTO.path(of: id))
    }
    await fleet.end(app)
  }

  @Test func `Pages of rows are selected by the query items`() async throws {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    let api = try api(app)
    for name in ["A", "B"] {
      let _: CharterDTO = try await api.post(
        path: CharterDTO.path, body: try CharterDTO(.sample(name)))
    }
    let one = URLQueryItem(name: "limit", value: "1")
    let first: Rows = try await api.get(path: CharterDTO.path, queryItems: [one])
    let next = try #require(first.next)
    let after = URLQueryItem(name: "after", value: next)
    let second: Rows = try await api.get(path: CharterDTO.path, queryItems: [one, after])
    #expect(Set((first.rows + second.rows).map(\.values.name)) == ["A", "B"])
    await fleet.end(app)
  }

  @Test func `Without an account the call is refused, and no request is sent`() async throws {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp()
    let count = fleet.server.requestCount
    await #expect(throws: AppError.auth(.notSignedIn)) {
      let _: CharterDTO = try await api(app).get(path: CharterDTO.path(of: UUID()))
    }
    #expect(fleet.server.requestCount == count)
    await fleet.end(app)
  }

  @Test func `A token that the server does not know any more is refused`() async throws {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    let token = try #require(app.session.token)
    try await AccountClient(HTTPTransport(fleet.url)).signOut(token)
    await #expect(throws: AppError.auth(.expired)) {
      let _: CharterDTO = try await api(app).get(path: CharterDTO.path(of: UUID()))
    }
    await fleet.end(app)
  }

  @Test func `A charter is not found by a stranger, and a missing charter by its owner`()
    async throws
  {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    let stranger = try await fleet.makeApp(of: "stranger")
    let charter = charter()
    let _: CharterDTO = try await api(app).post(
      path: CharterDTO.path, body: try CharterDTO(charter))
    for (app, id) in [(stranger, charter.id), (app, UUID())] {
      let (api, path) = (try api(app), CharterDTO.path(of: id))
      await #expect(throws: AppError.content(.notFound)) {
        let _: CharterDTO = try await api.get(path: path)
      }
      await #expect(throws: AppError.content(.notFound)) { try await api.delete(path: path) }
    }
    await fleet.end(app, stranger)
  }

  @Test func `A viewer can read but not write`() async throws {
    let shared = try await SharedCharter(mateIs: .viewer)
    let (api, path) = (try api(shared.mate), CharterDTO.path(of: shared.charter.id))
    let found: CharterDTO = try await api.get(path: path)
    #expect(found.values.name == shared.charter.name)
    await #expect(throws: AppError.auth(.forbidden)) {
      let _: CharterDTO = try await api.patch(path: path, body: ["values": found.values])
    }
    await #expect(throws: AppError.auth(.forbidden)) { try await api.delete(path: path) }
    await shared.end()
  }

  @Test func `An unreachable server and switched-off syncing both throw the offline error`()
    async throws
  {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    let (api, path) = (try api(app), CharterDTO.path(of: UUID()))
    try await app.sync.setAirplane(true)
    let count = fleet.server.requestCount
    await #expect(throws: AppError.network(.offline)) { try await api.delete(path: path) }
    #expect(fleet.server.requestCount == count)
    try await app.sync.setAirplane(false)
    await fleet.end()
    await #expect(throws: AppError.network(.offline)) {
      let _: CharterDTO = try await api.get(path: path)
    }
    await app.sync.stop()
  }
}
