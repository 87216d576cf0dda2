import Offshore
import OffshorePresentation
import ServerSupport
import TestSupport
import Testing

private struct Port: Identifiable, Equatable, Sendable {
  let id: Int
  var name: String
}

extension Port: Record {
  static let table = Table(
    "ports", Port.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}

/// A server that a test holds up and makes fail, which stores what it sends in a database.
@MainActor
private final class Server {
  let gate = Gate(isOpen: true)
  let database: Database
  var error: (any Error)?
  var ports: [Port] = []
  private(set) var requestCount = 0

  init(_ database: Database) { self.database = database }

  func pull() async throws {
    requestCount += 1
    await gate.pass()
    if let error { throw error }
    try await database.write { [ports] writer in for port in ports { try port.insert(writer) } }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct OfflineFirstTests {
  private let server: Server
  private let local = Port(id: 1, name: "Kiel")

  init() async throws {
    let database = try Database.inMemory()
    try await database.write { [local] writer in
      try writer.create(Port.table)
      try local.insert(writer)
    }
    server = Server(database)
  }

  private func ports() -> OfflineFirst<[Port]> {
    OfflineFirst(Live { [server] in server.database.values(of: Port.order { $0.id }) }) {
      [server] in try await server.pull()
    }
  }

  @Test func `What is stored here shows at once, while the server is asked`() async {
    server.gate.close()
    let ports = ports()
    await ports.load()
    #expect(ports.state == .loaded([local]))
    #expect(ports.isRefreshing)
    server.gate.open()
    await ports.refresh()
    #expect(!ports.isRefreshing)
  }

  @Test func `What the server sends shows once it is stored`() async {
    server.ports = [Port(id: 2, name: "Riga")]
    let ports = ports()
    await ports.load()
    await until { ports.state.data?.count == 2 }
    await ports.refresh()
    #expect(ports.state.data?.map(\.name) == ["Kiel", "Riga"])
  }

  @Test func `A server that fails leaves what is shown, and is said beside it`() async {
    server.error = NetworkError.offline
    let ports = ports()
    await ports.load()
    await ports.refresh()
    #expect(ports.state == .loaded([local]))
    #expect(ports.remoteError == .network(.offline))
    #expect(ports.refreshError == nil)
  }

  @Test func `An answer takes the error away, and asking alone does not`() async {
    server.error = NetworkError.offline
    let ports = ports()
    await ports.load()
    await ports.refresh()
    server.error = nil
    server.gate.close()
    let refresh = Task { await ports.refresh() }
    await server.gate.untilHeld()
    #expect(ports.remoteError == .network(.offline))
    server.gate.open()
    await refresh.value
    #expect(ports.remoteError == nil)
  }

  @Test func `Giving up is no error`() async {
    server.error = CancellationError()
    let ports = ports()
    await ports.refresh()
    #expect(ports.remoteError == nil)
    #expect(!ports.isRefreshing)
  }

  @Test func `Calls at the same time ask the server once`() async {
    server.gate.close()
    let ports = ports()
    let calls = (0..<4).map { _ in Task { await ports.refresh() } }
    await ports.load()
    await server.gate.untilHeld()
    server.gate.open()
    for call in calls { await call.value }
    #expect(server.requestCount == 1)
    await ports.refresh()
    #expect(server.requestCount == 2)
  }

  @Test func `Data of this device that cannot be read does not keep the server from being asked`()
    async
  {
    await server.database.close()
    let ports = ports()
    await ports.load()
    await ports.refresh()
    #expect(ports.state.errorValue != nil)
    #expect(server.requestCount > 0)
    #expect(ports.remoteError != nil)
  }

  @Test func `It is released while the server is asked`() async {
    server.gate.close()
    weak var released: OfflineFirst<[Port]>?
    do {
      let ports = ports()
      await ports.load()
      await server.gate.untilHeld()
      released = ports
    }
    #expect(released == nil)
    server.gate.open()
  }
}
