import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

@testable import MessAI

/// A device of an account, whose requests a test delivers, loses, repeats or delays.
final class Phone: Sendable {
  let account: LinkedAccount
  let data: LocalDataManager
  private let post: Post

  /// The id of the account as messages name it.
  var id: String { account.id.uuidString }
  var store: SyncedStore { data.store }

  init(_ account: LinkedAccount, of post: Post, _ schema: StoreSchema) throws {
    var environment = SyncedStore.Environment()
    environment.now = { Date(timeIntervalSince1970: Double(post.now) / 1_000) }
    self.account = account
    self.post = post
    let store = try SyncedStore.temporary(schema: schema, environment: environment)
    data = LocalDataManager(PersistenceController(store))
  }

  /// Gives the file to the account.
  func link() async throws { try await store.link(account, token: "token") }

  // MARK: - Requests

  private var times: RequestTimes { RequestTimes(sent: post.now, received: post.now) }

  /// Returns the next changes to send, or `nil` if there are none.
  func nextPush() async throws -> PushRequest? {
    let (replica, now) = (store.replica, post.now)
    return try await store.write { try replica.nextPush($0, at: now, makeID: { UUID() }) }
  }

  @discardableResult
  func take(_ response: PushResponse, to request: PushRequest) async throws -> PushReport {
    let (replica, times) = (store.replica, times)
    return try await store.write {
      try replica.apply(
        response, to: request, at: times, $0, newDevice: { DeviceID(UUID()) }, makeID: { UUID() })
    }
  }

  /// Sends the next changes; the answer may be lost.
  /// - Returns: whether there were changes.
  @discardableResult
  func push(losingAnswer: Bool = false) async throws -> Bool {
    guard let request = try await nextPush() else { return false }
    let response = try post.answer(request, of: account.id)
    if !losingAnswer { try await take(response, to: request) }
    return true
  }

  /// Sends all changes that are due.
  func pushAll() async throws {
    for _ in 0..<50 where try await !push() {
      return
    }
    throw ReplicaError(.damaged, "The device never has sent all changes.")
  }

  func nextPull() async throws -> PullRequest {
    let replica = store.replica
    return try await store.read { try replica.nextPull($0) }
  }

  @discardableResult
  func take(_ response: PullResponse, to request: PullRequest) async throws -> PullReport {
    let (replica, times) = (store.replica, times)
    return try await store.write {
      try replica.apply(response, to: request, at: times, $0, makeID: { UUID() })
    }
  }

  /// Returns a pull and its answer, which is applied later or never.
  func heldPull() async throws -> (PullRequest, PullResponse) {
    let request = try await nextPull()
    return (request, try post.answer(request, of: account.id))
  }

  func pullAll() async throws {
    for _ in 0..<50 {
      let (request, response) = try await heldPull()
      if try await !take(response, to: request).hasMore { return }
    }
    throw ReplicaError(.damaged, "The device never has all that it pulls.")
  }

  // MARK: - Messages

  /// Writes a message in a conversation now.
  @discardableResult
  func write(_ text: String, id: String = UUID().uuidString, in conversation: String = "c1")
    async throws -> Message
  {
    post.tick()
    let message = Message(
      id: id, conversationId: conversation, senderId: self.id, text: text, sentAt: store.now(),
      status: .sending)
    try await data.saveMessage(message, isSynced: false)
    return message
  }

  /// Stores the receipt of the user for a message.
  func receive(_ status: MessageStatus, _ id: String) async throws {
    post.tick()
    try await data.updateMessageStatus(id: id, status: status)
  }

  func message(_ id: String) async throws -> Message? {
    try await store.read { try MessageRow.find(id).first($0) }?.message
  }

  /// The texts of a conversation, in order.
  func texts(_ conversation: String = "c1") async throws -> [String] {
    try await data.fetchMessages(conversationId: conversation).map(\.text)
  }

  func conversation(_ id: String = "c1") async throws -> Conversation? {
    try await data.fetchConversations().first { $0.id == id }
  }

  func count(_ table: String) async throws -> Int? {
    try await store.read {
      try SQL("SELECT count(*) FROM \(identifier: table)").first($0, as: Int.self)
    }
  }

  /// The number of changes that were not sent yet.
  func pendingCount() async throws -> Int {
    let replica = store.replica
    return try await store.read { try replica.status($0).pending }
  }

  /// The codes of the refused changes.
  func refusals() async throws -> [Rejection.Code] {
    let replica = store.replica
    return try await store.read { try replica.deadLetters($0).map(\.rejection.code) }
  }

  /// Changes rows by SQL, as another program could.
  func run(_ statements: SQL...) async throws {
    try await store.write { writer in for sql in statements { try sql.run(writer) } }
  }
}
