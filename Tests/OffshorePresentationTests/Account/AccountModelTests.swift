import Foundation
import Offshore
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// Signing up, in and out on a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct AccountModelTests {
  private let password = "correct horse"

  @Test func `Signing up assigns the rows to the account, and starts syncing`() async throws {
    let server = try LoopbackServer()
    let sync = try await server.device()
    try await sync.store.addTrip("Kornati")
    let account = AccountModel(sync)
    #expect(account.hasServer && account.account == nil && !account.isSignedIn)
    #expect(await account.signUp(name: "skipper", password: password))
    #expect(account.account?.name == "skipper" && account.isSignedIn)
    #expect(account.account?.id == sync.session.userID)
    try await sync.store.waitUntilSent()
    await waitUntil { sync.indicator == .synced }
    await server.end(sync)
  }

  @Test func `Errors show at their fields, and the name stays`() async throws {
    let server = try LoopbackServer()
    let first = try await server.device(of: "skipper")
    let sync = try await server.device()
    let account = AccountModel(sync)
    #expect(await !account.signUp(name: " ", password: "short"))
    #expect(account.errors[.name] == .validation(.tooShort(field: "accountName", minimum: 1)))
    #expect(account.errors[.password] == .validation(.tooShort(field: "password", minimum: 8)))
    let long = String(repeating: "x", count: 257)
    #expect(await !account.signUp(name: "mate", password: long))
    #expect(account.errors == [.password: .validation(.tooLong(field: "password", maximum: 256))])
    #expect(await !account.signUp(name: "skipper", password: password))
    #expect(account.errors == [.name: .auth(.nameTaken)])
    #expect(await !account.signUp(name: "?", password: password))
    #expect(account.errors == [.name: .validation(.outOfRange(field: "accountName"))])
    #expect(await !account.signIn(name: "skipper", password: "wrong horse"))
    #expect(account.errors == [.password: .auth(.invalidCredentials)])
    #expect(account.name == "skipper" && account.failure == nil && !account.isSignedIn)
    #expect(await account.signIn(name: "skipper", password: password))
    #expect(account.errors.isEmpty && account.name.isEmpty)
    await server.end(first, sync)
  }

  @Test func `After signing out the rows stay, and the same account can sign in again`()
    async throws
  {
    let server = try LoopbackServer()
    let sync = try await server.device(of: "skipper")
    try await sync.store.addTrip("Kornati")
    let account = AccountModel(sync)
    #expect(await account.signOut(isConfirmed: true))
    #expect(account.account?.name == "skipper" && !account.isSignedIn)
    #expect(sync.connection == .signedOut && sync.indicator == .notSynced)
    #expect(try await sync.store.texts("SELECT name FROM trips") == ["Kornati"])
    #expect(await account.signIn(name: "skipper", password: password))
    await waitUntil { sync.indicator == .synced }
    await server.end(sync)
  }

  @Test func `Signing out asks first if changes are not sent`() async throws {
    let server = try LoopbackServer()
    let sync = try await server.device(of: "skipper")
    try await sync.setAirplane(true)
    try await sync.store.addTrip("Kornati")
    await waitUntil { sync.storeStatus.pendingCount == 1 }
    let account = AccountModel(sync)
    #expect(await !account.signOut())
    #expect(account.errors == [.signOutConfirmation: .validation(.missingRequiredFields)])
    #expect(account.isSignedIn)
    #expect(await account.signOut(isConfirmed: true))
    #expect(account.errors.isEmpty && !account.isSignedIn)
    await server.end(sync)
  }

  @Test func `A new password replaces the former one`() async throws {
    let server = try LoopbackServer()
    let sync = try await server.device(of: "skipper")
    let account = AccountModel(sync)
    #expect(await !account.changePassword(from: "", to: "short"))
    #expect(Set(account.errors.keys) == [.password, .newPassword])
    #expect(await !account.changePassword(from: "wrong horse", to: "battery staple"))
    #expect(account.errors == [.password: .auth(.invalidCredentials)])
    #expect(await account.changePassword(from: password, to: "battery staple"))
    #expect(await account.signOut())
    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(await account.signIn(name: "skipper", password: "battery staple"))
    await server.end(sync)
  }

  @Test func `An account is deleted by its password and a confirmation`() async throws {
    let server = try LoopbackServer()
    let sync = try await server.device(of: "skipper")
    try await sync.store.addTrip("Kornati")
    let account = AccountModel(sync)
    #expect(await !account.deleteAccount(password: "", isConfirmed: false))
    #expect(Set(account.errors.keys) == [.deletionPassword, .confirmation])
    #expect(await !account.deleteAccount(password: password, isConfirmed: false))
    #expect(account.errors == [.confirmation: .validation(.missingRequiredFields)])
    #expect(await !account.deleteAccount(password: "wrong horse", isConfirmed: true))
    #expect(account.errors == [.deletionPassword: .auth(.invalidCredentials)])
    #expect(account.isSignedIn)
    #expect(await account.deleteAccount(password: password, isConfirmed: true))
    #expect(account.errors.isEmpty && account.failure == nil && !account.isSignedIn)
    #expect(sync.connection == .signedOut && sync.indicator == .notSynced)
    #expect(try await sync.store.texts("SELECT name FROM trips") == ["Kornati"])

    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(account.errors == [.password: .auth(.invalidCredentials)])
    #expect(await !account.signUp(name: "skipper", password: password))
    #expect(account.failure == .auth(.deleted))
    await server.end(sync)
  }

  @Test func `Another device of a deleted account has its rows, and asks to sign in`()
    async throws
  {
    let server = try LoopbackServer()
    let first = try await server.device(of: "skipper")
    try await first.store.addTrip("Kornati")
    try await first.store.waitUntilSent()
    let second = try await server.device(of: "skipper")
    try await second.store.wait(for: "SELECT name FROM trips", toBe: ["Kornati"])
    #expect(await AccountModel(first).deleteAccount(password: password, isConfirmed: true))
    await second.syncNow()
    await waitUntil { second.connection == .expired }
    #expect(AccountModel(second).isExpired)
    #expect(try await second.store.texts("SELECT name FROM trips") == ["Kornati"])
    await server.end(first, second)
  }

  @Test func `An unreachable server is not an error of a field`() async throws {
    let server = try LoopbackServer()
    let sync = try await server.device()
    await server.end()
    let account = AccountModel(sync)
    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(account.failure == .network(.offline) && account.errors.isEmpty)
    #expect(await !account.signIn(name: "", password: password))
    #expect(account.failure == nil && account.errors.count == 1, "the former failure is over")
  }

  @Test func `Another account of the same name is not an error of a hidden field`()
    async throws
  {
    let (server, other) = (try LoopbackServer(), try LoopbackServer())
    let first = try await server.device(of: "skipper")
    let elsewhere = try await other.device(of: "skipper")
    await first.stop()
    let sync = try await first.store.sync(with: other.url)
    let account = AccountModel(sync)
    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(account.failure == .auth(.otherAccount("skipper")) && account.errors.isEmpty)
    await server.end()
    await other.end(elsewhere, sync)
  }

  @Test func `A server without open sign-up reports it`() async throws {
    let server = try LoopbackServer(opensSignUp: false)
    let sync = try await server.device()
    let account = AccountModel(sync)
    #expect(await !account.signUp(name: "skipper", password: password))
    #expect(account.failure == .auth(.signUpClosed) && account.errors.isEmpty)
    await server.end(sync)
  }

  @Test func `After too many attempts the waiting time is reported`() async throws {
    let server = try LoopbackServer()
    let sync = try await server.device()
    let account = AccountModel(sync)
    var tries = 0
    repeat {
      tries += 1
      #expect(await !account.signIn(name: "skipper", password: "wrong horse"))
    } while account.failure == nil && tries < 100
    guard case .network(.rateLimited(let seconds?)) = account.failure else {
      Issue.record("There is no time to wait: \(String(describing: account.failure))")
      return
    }
    #expect(1...60 ~= seconds && account.errors.isEmpty)
    await server.end(sync)
  }

  @Test func `Without a server no account can sign in`() async throws {
    let sync = try await Journey.open().sync(with: nil)
    let account = AccountModel(sync)
    #expect(!account.hasServer && sync.indicator == .notSynced && sync.connection == .noServer)
    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(account.failure == .network(.offline))
  }
}
