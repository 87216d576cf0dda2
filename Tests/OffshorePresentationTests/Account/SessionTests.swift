import Foundation
import Offshore
import OffshoreSync
import Synchronization
import Testing

@testable import OffshorePresentation

/// A server with one account, which records its requests.
private final class OneAccount: AccountService {
  let id = UUID()
  private let state = Mutex(State())

  private struct State {
    var asked: [String] = []
    /// The ids of the signed-in devices.
    var devices = ["here", "elsewhere"]
    /// The request to sign out that is not answered.
    var waiting: CheckedContinuation<Void, Never>?
    /// The test that waits for that request.
    var watching: CheckedContinuation<Void, Never>?
  }

  var asked: [String] { state.withLock(\.asked) }

  private func note(_ what: String) { state.withLock { $0.asked.append(what) } }

  private func account(_ name: String, _ id: UUID) throws -> SignedInAccount {
    let text = #"{"account":"\#(id)","name":"\#(name)","token":"secret-\#(name)"}"#
    return try JSONDecoder().decode(SignedInAccount.self, from: Data(text.utf8))
  }

  func signUp(
    _ name: String, _ password: String, as owner: UUID, device: String?
  ) async throws -> SignedInAccount {
    note("signUp \(name)")
    return try account(name, owner)
  }

  func signIn(
    _ name: String, _ password: String, device: String?
  ) async throws -> SignedInAccount {
    note("signIn \(name)")
    #expect(device?.isEmpty == false)
    guard password == "right" else { throw AccountClient.Failure(.wrongPassword, "No.") }
    return try account(name, id)
  }

  /// Answers when the test allows it.
  func signOut(_ token: String) async throws {
    await withCheckedContinuation { continuation in
      let watching = state.withLock {
        $0.asked.append("signOut \(token)")
        $0.waiting = continuation
        return $0.watching.take()
      }
      watching?.resume()
    }
  }

  /// Waits for a request to sign out.
  func signOutAsked() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock {
        if $0.waiting == nil { $0.watching = continuation }
        return $0.waiting != nil
      }
      if isThere { continuation.resume() }
    }
  }

  func answer() { state.withLock { $0.waiting.take() }?.resume() }

  func changePassword(from old: String, to new: String, token: String) async throws {
    note("changePassword \(token)")
    guard old == "right" else { throw AccountClient.Failure(.wrongPassword, "No.") }
  }

  func devices(token: String) async throws -> [SignedInDevice] {
    note("devices \(token)")
    return try state.withLock(\.devices).map { id in
      let (name, isHere) = (id, id == "here")
      let text =
        #"{"id":"\#(id)","device":"\#(name)","created":1,"expires":2,"isCurrent":\#(isHere)}"#
      return try JSONDecoder().decode(SignedInDevice.self, from: Data(text.utf8))
    }
  }

  func endSignIn(of device: SignedInDevice, token: String) async throws {
    note("endSignIn \(device.id)")
    let isThere = state.withLock { state in
      defer { state.devices.removeAll { $0 == device.id } }
      return state.devices.contains(device.id)
    }
    guard isThere else { throw AccountClient.Failure(.notFound, "It is signed out.") }
  }

  func deleteAccount(password: String, token: String) async throws {
    note("deleteAccount \(token)")
    guard password == "right" else { throw AccountClient.Failure(.wrongPassword, "No.") }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SessionTests {
  private let store: SyncedStore
  private let accounts = OneAccount()

  init() throws { store = try Journey.open() }

  private func start(at server: String = "https://boats.example.org") async throws -> Session {
    try await Session.start(store, with: accounts, at: URL(string: server))
  }

  /// Makes every change of a setting fail.
  private func refuseSettings() async throws {
    for change in ["INSERT", "UPDATE", "DELETE"] {
      try await store.run(
        SQL(
          raw: "CREATE TRIGGER refuse\(change) BEFORE \(change) ON settings "
            + "BEGIN SELECT raise(ABORT, 'refused'); END"))
    }
  }

  @Test func `The first start creates an id, and later starts have the same`() async throws {
    let first = try await Session.start(store)
    let second = try await Session.start(store)
    #expect(second.userID == first.userID && second.account == nil && !second.hasServer)
  }

  @Test func `Signing up preserves the id, and the next start is signed in too`() async throws {
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

  @Test func `Signing in gives the user the account's id, and a wrong password changes nothing`()
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

  @Test func `A file of another account cannot be signed in`() async throws {
    try await store.link(LinkedAccount(id: UUID(), name: "mate"), token: nil)
    let session = try await start()
    await #expect(throws: AppError.auth(.otherAccount("mate"))) {
      try await session.signIn(name: "skipper", password: "right")
    }
    #expect(!session.isSignedIn && session.account?.name == "mate")
    await accounts.signOutAsked()
    accounts.answer()
    await session.revocation?.value
  }

  @Test func `An access token that cannot be stored is revoked`() async throws {
    let session = try await start()
    try await refuseSettings()
    await #expect(throws: AppError.database(.writeFailed)) {
      try await session.signIn(name: "skipper", password: "right")
    }
    #expect(!session.isSignedIn && session.account == nil)
    await accounts.signOutAsked()
    #expect(accounts.asked.last == "signOut secret-skipper")
    accounts.answer()
    await session.revocation?.value
  }

  @Test func `Signing out does not wait for the server, and fails if it cannot be stored`()
    async throws
  {
    let session = try await start()
    try await session.signIn(name: "skipper", password: "right")
    try await session.signOut()
    #expect(!session.isSignedIn && session.account?.name == "skipper")
    #expect(try await start().token == nil)
    await accounts.signOutAsked()
    accounts.answer()
    await session.revocation?.value
    try await session.signIn(name: "skipper", password: "right")
    try await refuseSettings()
    await #expect(throws: DatabaseError.self) { try await session.signOut() }
    #expect(session.isSignedIn)
  }

  @Test func `Only a user who is signed in and knows the password can change it`() async throws {
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

  @Test func `Another device is signed out, also if it is already`() async throws {
    let session = try await start()
    await #expect(throws: AppError.auth(.notSignedIn)) { _ = try await session.devices() }
    try await session.signIn(name: "skipper", password: "right")
    let devices = try await session.devices()
    #expect(devices.map(\.id) == ["here", "elsewhere"])
    for _ in 0..<2 { try await session.signOut(devices[1]) }
    #expect(try await session.devices().map(\.isCurrent) == [true])
    #expect(accounts.asked.count { $0 == "endSignIn elsewhere" } == 2 && session.isSignedIn)
  }

  @Test func `A deleted account leaves its rows on the device, without an access token`()
    async throws
  {
    let session = try await start()
    await #expect(throws: AppError.auth(.notSignedIn)) {
      try await session.deleteAccount(password: "right")
    }
    try await session.signIn(name: "skipper", password: "right")
    try await store.addTrip("Kornati")
    await #expect(throws: AppError.auth(.invalidCredentials)) {
      try await session.deleteAccount(password: "wrong")
    }
    #expect(session.isSignedIn)
    try await session.deleteAccount(password: "right")
    #expect(!session.isSignedIn && session.account?.name == "skipper")
    #expect(accounts.asked.last == "deleteAccount secret-skipper", "There is no token to revoke.")
    #expect(try await !start().isSignedIn)
    #expect(try await store.texts("SELECT name FROM trips") == ["Kornati"])
  }

  @Test func `A device that cannot store the end of its account does not use the token any more`()
    async throws
  {
    let session = try await start()
    try await session.signIn(name: "skipper", password: "right")
    try await refuseSettings()
    await #expect(throws: DatabaseError.self) {
      try await session.deleteAccount(password: "right")
    }
    #expect(!session.isSignedIn)
  }

  @Test func `An access token is sent only to the server that issued it`() async throws {
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

  @Test func `Servers of several apps at one address are distinguished by their paths`()
    async throws
  {
    let session = try await start(at: "https://boats.example.org/charters/")
    try await session.signIn(name: "skipper", password: "right")
    #expect(session.account?.server == "https://boats.example.org/charters")
    #expect(try await start(at: "https://boats.example.org:443/charters").isSignedIn)
    let other = try await start(at: "https://boats.example.org/packing")
    #expect(!other.isSignedIn && other.formerServer == "https://boats.example.org/charters")
    #expect(try await !start(at: "https://boats.example.org").isSignedIn)
  }

  @Test func `Without a file there is no session`() async throws {
    await store.close()
    await #expect(throws: DatabaseError.self) { _ = try await Session.start(store) }
  }
}
