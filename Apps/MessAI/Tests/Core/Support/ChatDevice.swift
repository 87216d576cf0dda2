import Foundation
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import MessAI
@testable import Offshore

/// A device whose app runs, and syncs with a real server.
@MainActor final class ChatDevice {
  nonisolated static let password = "correct horse"

  let app: MessAIDependencies
  /// The connection that the app sees. Requests do not depend on it.
  let connection: SettableConnection

  var manager: SyncManager { app.syncManager }
  var data: LocalDataManager { app.localDataManager }
  var service: SyncService { app.service }
  var store: SyncedStore { data.store }
  /// The id of the user.
  var id: String { service.session.userID.uuidString }

  /// Opens the app without an account.
  init(server: URL? = nil) async throws {
    let connection = SettableConnection()
    let network = NetworkMonitor { _ in connection }
    self.connection = connection
    var environment = SyncedStore.Environment()
    if server == nil { environment.now = Self.clock() }
    app = try await MessAIDependencies(
      .temporary(schema: MessAISchema.current, environment: environment), server: server,
      networkMonitor: network)
    await waitUntil { network.connectionType == .loopback }
  }

  /// Returns a clock that begins some days after the samples, and advances by a second each time it is read.
  private static func clock() -> @Sendable () -> Date {
    let seconds = Mutex(0.0)
    return {
      .at(
        1_000_000
          + seconds.withLock { seconds in
            seconds += 1
            return seconds
          })
    }
  }

  /// Opens the app of an account. The first device of a name signs up, others sign in.
  convenience init(of name: String, on server: LoopbackServer) async throws {
    try await self.init(server: server.url)
    do {
      try await service.signUp(name: name, password: Self.password)
    } catch AppError.auth(.nameTaken) {
      try await service.signIn(name: name, password: Self.password)
    }
  }

  func end() async {
    await manager.stop()
    await service.stop()
  }

  // MARK: - Messages

  /// Creates a message of the user.
  func message(_ text: String, id: String = UUID().uuidString, in conversation: String = "c1")
    -> Message
  {
    Message(
      id: id, conversationId: conversation, senderId: self.id, text: text, sentAt: store.now(),
      status: .sending)
  }

  /// Queues a message of the user.
  func send(_ text: String, id: String, in conversation: String = "c1") async throws {
    try await manager.queueMessageForSync(message(text, id: id, in: conversation))
  }

  /// Returns the row of a message, or `nil`.
  func row(_ id: String) async throws -> MessageRow? {
    try await store.read { try MessageRow.find(id).first($0) }
  }

  /// Returns the texts of a conversation, in order.
  func texts(in conversation: String = "c1") async throws -> [String] {
    try await data.fetchMessages(conversationId: conversation).map(\.text)
  }

  /// Waits until a message is stored and meets a condition.
  func wait(
    for id: String, until isMet: (MessageRow) -> Bool = { _ in true }
  ) async throws {
    for try await rows in store.values(of: MessageRow.find(id)) where rows.contains(where: isMet) {
      return
    }
  }

  /// Waits until the conversation has these texts, in order.
  func waitForTexts(_ texts: [String], in conversation: String = "c1") async throws {
    for try await rows in store.values(of: MessageRow.all(in: conversation))
    where rows.map(\.text) == texts {
      return
    }
  }

  func run(_ statements: SQL...) async throws {
    try await store.write { writer in for sql in statements { try sql.run(writer) } }
  }

  /// Limits the size of the file, which has the effect of a full disk.
  /// - Parameter count: the number of pages; by default those that the file has.
  /// - Returns: the number of pages.
  @discardableResult
  func limitPages(to count: Int? = nil) async throws -> Int {
    try await store.write { writer in
      let pages = try SQL("SELECT page_count FROM pragma_page_count").first(writer, as: Int.self)
      let count = count ?? pages ?? 0
      try writer.connection.runUnguarded("PRAGMA max_page_count = \(count)")
      return count
    }
  }

  // MARK: - Conversations

  /// Creates a conversation, and waits until the server has it.
  func makeConversation(_ conversation: String) async throws {
    let now = store.now()
    try await data.saveConversation(
      Conversation(
        id: conversation, participantIds: [id], isGroup: false, lastMessage: "", lastMessageAt: now,
        createdBy: id, createdAt: now))
    try await waitForRole(.owner, in: conversation)
  }

  /// Lets another account into a conversation, by an invitation.
  func admit(_ other: ChatDevice, to conversation: String) async throws {
    let members = try members(of: conversation)
    await members.load()
    #expect(await members.invite(as: .editor))
    let joining = JoinModel(other.service)
    joining.code = try #require(members.invitation?.code)
    _ = await joining.join()
    for device in [self, other] {
      let ids = [id, other.id]
      for try await rows in device.store.values(of: ConversationRow.find(conversation))
      where rows.contains(where: { Set($0.participantIds).isSuperset(of: ids) }) {
        break
      }
    }
  }

  /// Changes the role of another member at the server. The other member's device learns it later.
  func setRole(_ role: Role, of other: ChatDevice, in conversation: String = "c1") async throws {
    let members = try members(of: conversation)
    await members.load()
    #expect(await members.setRole(role, of: other.service.session.userID))
    try await service.drain()
  }

  /// Waits until this device has a role.
  func waitForRole(_ role: Role, in conversation: String = "c1") async throws {
    let scope = try Self.scope(conversation)
    let values = store.values { [store] in try store.role(in: scope, $0) }
    for try await found in values where found == role { return }
  }

  func members(of conversation: String) throws -> MembersModel {
    MembersModel(try Self.scope(conversation), service)
  }

  nonisolated static func scope(_ conversation: String) throws -> ScopeID {
    try ScopeID(kind: MessAISchema.conversationKind, value: conversation)
  }
}

extension Connection {
  /// Runs a statement that apps may not.
  func runUnguarded(_ statement: String) throws {
    let guarding = authorizer.isGuarding
    authorizer.isGuarding = false
    defer { authorizer.isGuarding = guarding }
    try run(SQL(raw: statement))
  }
}

/// A connection that a test sets; the loopback at first.
final class SettableConnection: ReachabilityMonitor {
  private struct State {
    var connection = NetworkConnection.loopback
    var listeners: [AsyncStream<NetworkConnection>.Continuation] = []
  }

  private let state = Mutex(State())

  func connections() -> AsyncStream<NetworkConnection> {
    let (connections, continuation) = AsyncStream.makeStream(of: NetworkConnection.self)
    state.withLock { state in
      state.listeners.append(continuation)
      continuation.yield(state.connection)
    }
    return connections
  }

  func set(_ connection: NetworkConnection) {
    state.withLock { state in
      state.connection = connection
      for listener in state.listeners { listener.yield(connection) }
    }
  }
}
