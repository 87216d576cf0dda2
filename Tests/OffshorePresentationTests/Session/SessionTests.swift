import Foundation
import OffshoreSync
import Synchronization
import Testing

@testable import OffshorePresentation

/// Storage that keeps an id and an account in memory.
private final class MemoryStorage: SessionStorage {
  struct Full: Error {}

  private let kept = Mutex<UUID?>(nil)
  private let linked = Mutex<Session.Credentials?>(nil)
  private let isFull = Mutex(false)

  /// Has it keep nothing from now on.
  func fill() { isFull.withLock { $0 = true } }

  func userID(firstly candidate: UUID) async throws -> UUID {
    kept.withLock { kept in
      let id = kept ?? candidate
      kept = id
      return id
    }
  }

  func credentials() async throws -> Session.Credentials? { linked.withLock(\.self) }

  func link(_ credentials: Session.Credentials) async throws {
    guard !isFull.withLock(\.self) else { throw Full() }
    linked.withLock { $0 = credentials }
    kept.withLock { $0 = credentials.account.id }
  }

  func keepToken(_ token: String?) async throws {
    guard !isFull.withLock(\.self) else { throw Full() }
    linked.withLock { linked in
      linked = linked.map {
        Session.Credentials(account: $0.account, token: token, server: $0.server)
      }
    }
  }
}

/// A server with one account, that notes what it is asked.
private final class OneAccount: AccountService {
  let id = UUID()
  private let state = Mutex(State())

  private struct State {
    var asked: [String] = []
    /// Who waits for an answer to signing out.
    var waiting: CheckedContinuation<Void, Never>?
  }

  var asked: [String] { state.withLock(\.asked) }

  private func note(_ what: String) { state.withLock { $0.asked.append(what) } }

  private func account(_ name: String, _ id: UUID) throws -> SignedInAccount {
    let text = #"{"account":"\#(id)","name":"\#(name)","token":"secret-\#(name)"}"#
    return try JSONDecoder().decode(SignedInAccount.self, from: Data(text.utf8))
  }

  func signUp(
    _ name: String, _ password: String, as owner: UUID
  ) async throws -> SignedInAccount {
    note("signUp \(name)")
    return try account(name, owner)
  }

  func signIn(_ name: String, _ password: String) async throws -> SignedInAccount {
    note("signIn \(name)")
    guard password == "right" else { throw AccountClient.Failure(.wrongPassword, "No.") }
    return try account(name, id)
  }

  /// Answers when it is told to.
  func signOut(_ token: String) async throws {
    await withCheckedContinuation { continuation in
      state.withLock {
        $0.asked.append("signOut \(token)")
        $0.waiting = continuation
      }
    }
  }

  func answer() { state.withLock { $0.waiting.take() }?.resume() }

  func changePassword(from old: String, to new: String, token: String) async throws {
    note("changePassword \(token)")
    guard old == "right" else { throw AccountClient.Failure(.wrongPassword, "No.") }
  }
}

private struct NoStorage: SessionStorage {
  struct Full: Error {}
  func userID(firstly candidate: UUID) async throws -> UUID { throw Full() }
  func credentials() async throws -> Session.Credentials? { throw Full() }
  func link(_ credentials: Session.Credentials) async throws { throw Full() }
  func keepToken(_ token: String?) async throws { throw Full() }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SessionTests {
  @Test func `The first start makes an id, and later ones keep it`() async throws {
    let storage = MemoryStorage()
    let id = UUID()
    let first = try await Session.start(keptBy: storage) { id }
    #expect(first.userID == id)
    let second = try await Session.start(keptBy: storage)
    #expect(second.userID == id)
  }

  private let storage = MemoryStorage()
  private let accounts = OneAccount()

  private func start(at server: String = "https://boats.example.org") async throws -> Session {
    try await Session.start(keptBy: storage, with: accounts, at: URL(string: server))
  }

  @Test func `Who signs up keeps the id, and is signed in at the next start too`() async throws {
    let session = try await start()
    let id = session.userID
    try await session.signUp(name: "skipper", password: "right")
    #expect(session.isSignedIn && session.userID == id && session.account?.name == "skipper")
    #expect(try await start().token == "secret-skipper")
    await #expect(throws: AppError.auth(.otherAccount("skipper"))) {
      try await session.signUp(name: "mate", password: "right")
    }
    #expect(accounts.asked == ["signUp skipper"])
  }

  @Test func `Who signs in becomes the account's user, and nobody by a wrong password`()
    async throws
  {
    let session = try await start()
    let id = session.userID
    await #expect(throws: AppError.auth(.invalidCredentials)) {
      try await session.signIn(name: "skipper", password: "wrong")
    }
    #expect(!session.isSignedIn && session.userID == id && session.account == nil)
    try await session.signIn(name: "skipper", password: "right")
    #expect(session.userID == accounts.id && session.isSignedIn)
  }

  @Test func `Where an account cannot be kept, the server is told that its token is not used`()
    async throws
  {
    let session = try await start()
    storage.fill()
    await #expect(throws: AppError.self) {
      try await session.signIn(name: "skipper", password: "right")
    }
    #expect(!session.isSignedIn && session.account == nil)
    while accounts.asked.last != "signOut secret-skipper" { await Task.yield() }
    accounts.answer()
    await session.farewell?.value
  }

  @Test func `Who signs out waits for no server, and is told where that cannot be kept`()
    async throws
  {
    let session = try await start()
    try await session.signIn(name: "skipper", password: "right")
    try await session.signOut()
    #expect(!session.isSignedIn && session.account?.name == "skipper")
    #expect(try await start().token == nil)
    while accounts.asked.last != "signOut secret-skipper" { await Task.yield() }
    accounts.answer()
    await session.farewell?.value
    try await session.signIn(name: "skipper", password: "right")
    storage.fill()
    await #expect(throws: MemoryStorage.Full.self) { try await session.signOut() }
    #expect(session.isSignedIn)
  }

  @Test func `A password is changed by who is signed in and knows it`() async throws {
    let session = try await start()
    await #expect(throws: AppError.auth(.notSignedIn)) {
      try await session.changePassword(from: "right", to: "new")
    }
    try await session.signIn(name: "skipper", password: "right")
    await #expect(throws: AppError.auth(.invalidCredentials)) {
      try await session.changePassword(from: "wrong", to: "new")
    }
    try await session.changePassword(from: "right", to: "new")
    #expect(accounts.asked.last == "changePassword secret-skipper" && session.isSignedIn)
  }

  @Test func `A token is not handed to another server than the one that gave it`() async throws {
    let session = try await start()
    try await session.signIn(name: "skipper", password: "right")
    let elsewhere = try await start(at: "https://elsewhere.example.org")
    #expect(!elsewhere.isSignedIn && elsewhere.account?.name == "skipper")
    #expect(elsewhere.formerServer == "https://boats.example.org")
    let back = try await start(at: "https://BOATS.example.org:443/sync")
    #expect(back.isSignedIn && back.formerServer == nil)
    try await elsewhere.signIn(name: "skipper", password: "right")
    #expect(elsewhere.isSignedIn && elsewhere.formerServer == nil)
    #expect(try await !start().isSignedIn)
  }

  @Test func `Where the id cannot be kept, there is no session`() async {
    await #expect(throws: NoStorage.Full.self) {
      _ = try await Session.start(keptBy: NoStorage())
    }
  }
}
