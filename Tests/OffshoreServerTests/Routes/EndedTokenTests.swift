import Foundation
import OffshoreHTTP
import OffshoreWire
import Synchronization
import TestSupport
import Testing

@testable import OffshoreServer

/// The event streams of access tokens that end.
@Suite(.timeLimit(.minutes(1)))
struct EndedTokenTests {
  private static let password = "correct horse"

  /// An account with two devices, of which the second has an open stream.
  private struct World {
    let service: TestService
    let first: String
    let second: String
    let channel: EventChannel

    init(_ service: TestService) async throws {
      self.service = service
      first = try await service.signUp("ida").token
      let signIn = ["name": "ida", "password": EndedTokenTests.password]
      let answer = try await service.send(.post, "/v1/tokens", signIn)
      second = try #require(try answer.json()["token"] as? String)
      _ = try await service.push(1, device: 1, token: first, [.list(at: 900)])
      channel = try #require(await service.send(.get, "/v1/events", token: second).channel)
    }

    /// Waits for the end of the stream, and checks that a change afterwards causes no hint.
    func expectEnd() async throws {
      while await channel.next() != nil {}
      #expect(!channel.isOpen)
      service.server.hub.send([Hint(try Lists.scope("1"), head: 1 << 30)])
      #expect(await channel.next() == nil)
      #expect(await service.send(.get, "/v1/events", token: second).status == .unauthorized)
    }
  }

  // MARK: - By a route

  /// A request that ends the token of the second device.
  enum Cause: CaseIterable {
    case signOut, otherDevice, password, deletion
  }

  @Test(arguments: Cause.allCases)
  func `A stream ends with its token, before the request that ended the token is answered`(
    cause: Cause
  ) async throws {
    let world = try await World(TestService())
    let (service, password) = (world.service, Self.password)
    let response: Response
    switch cause {
    case .signOut:
      response = await service.send(.delete, "/v1/tokens/current", token: world.second)
    case .otherDevice:
      let listed = try await service.send(.get, "/v1/tokens", token: world.first).json()
      let tokens = try #require(listed["tokens"] as? [[String: Any]])
      let other = tokens.first { $0["isCurrent"] as? Bool == false }
      let id = try #require(other?["id"] as? String)
      response = await service.send(.delete, "/v1/tokens/\(id)", token: world.first)
    case .password:
      response = try await service.send(
        .post, "/v1/password", token: world.first,
        ["password": password, "newPassword": "battery staple"])
    case .deletion:
      response = try await service.send(
        .delete, "/v1/account", token: world.first, ["password": password])
    }
    #expect(response.status == .noContent)
    #expect(!world.channel.isOpen)
    try await world.expectEnd()
  }

  // MARK: - By a command of the operator

  /// A command beside the server, over a connection of its own.
  enum Command: CaseIterable {
    case password, disabling, deletion

    func run(on data: ServerData) async throws {
      switch self {
      case .password: try await data.setPassword("battery staple", ofAccount: "ida")
      case .disabling: try await data.setDisabled(true, ofAccount: "ida")
      case .deletion: try await data.deleteAccount(named: "ida")
      }
    }
  }

  @Test(arguments: Command.allCases)
  func `A stream ends if its token is ended beside the server`(command: Command) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("server.sqlite")
    let world = try await World(TestService(log: SQLiteStorage(path, epoch: 7)))
    let data = try ServerData(path)
    try await command.run(on: data)
    try await world.expectEnd()
    await data.close()
    await world.service.log.close()
  }

  @Test func `The streams of other tokens stay open`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("server.sqlite")
    let world = try await World(TestService(log: SQLiteStorage(path, epoch: 7)))
    let service = world.service
    let first = try #require(await service.send(.get, "/v1/events", token: world.first).channel)
    let ben = try await service.signUp("ben")
    let other = try #require(await service.send(.get, "/v1/events", token: ben.token).channel)
    let data = try ServerData(path)
    let hash = try #require(Secret(world.second)).hash
    try await data.storage.write { try $0.removeToken(hash) }
    try await world.expectEnd()
    #expect(first.isOpen && other.isOpen && service.server.hub.count == 2)
    await data.close()
    await service.log.close()
  }

  @Test func `A stream that is opened after a time without streams is watched`() async throws {
    let hub = HintHub()
    let log = try SQLiteStorage.temporary(epoch: 7)
    let storage = ObservedStorage(log)
    let watch = TokenWatch(hub, storage)
    watch.start()
    await storage.started.pass()
    let token = try await TestService(log: log).signUp("ida").token
    let hash = try #require(Secret(token)).hash
    let channel = hub.listen(.sample(1), with: hash)
    watch.start()
    try await storage.write { try $0.removeToken(hash) }
    while await channel.next() != nil {}
    #expect(hub.count == 0)
    await storage.close()
  }

  @Test func `A stream that is opened after an error of the storage is watched`() async throws {
    let hub = HintHub()
    let storage = ObservedStorage(try SQLiteStorage.temporary(epoch: 7), failsOnce: true)
    let watch = TokenWatch(hub, storage)
    let (first, second) = (ContentHash(of: [1]), ContentHash(of: [2]))
    _ = hub.listen(.sample(1), with: first)
    watch.start()
    await storage.started.pass()
    let channel = hub.listen(.sample(1), with: second)
    // The watch may not have ended yet.
    while channel.isOpen {
      watch.start()
      await Task.yield()
    }
    #expect(await channel.next() == nil && hub.count == 0)
    await storage.close()
  }
}

/// A storage that shows when it is observed, and whose first observation may fail.
private final class ObservedStorage: ServerStorage {
  /// Opens with the first result of an observation, or its failure.
  let started = Gate()
  private let fails: Mutex<Bool>
  private let base: SQLiteStorage

  init(_ base: SQLiteStorage, failsOnce: Bool = false) {
    self.base = base
    fails = Mutex(failsOnce)
  }

  var byteCount: Int64? { base.byteCount }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result { try await base.read(body) }

  func readPromptly<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result { try await base.readPromptly(body) }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Result
  ) async throws -> Result { try await base.write(body) }

  func observe<Result: Equatable & Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result,
    _ receive: @Sendable (Result) -> Void
  ) async throws {
    let fails = fails.withLock { fails in
      defer { fails = false }
      return fails
    }
    defer { started.open() }
    guard !fails else { throw CancellationError() }
    try await base.observe(body) { result in
      receive(result)
      started.open()
    }
  }

  func close() async { await base.close() }
}
