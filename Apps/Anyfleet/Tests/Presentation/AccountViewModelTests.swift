import Foundation
import OffshorePresentation
import OffshoreSync
import Testing

@testable import Anyfleet

/// Signing up, in and out at a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct AccountViewModelTests {
  private let password = "correct horse"

  @Test func `Signing up makes what is here the account's, and begins to sync`() async throws {
    let fleet = try await SyncedFleet()
    let app = try await fleet.makeApp()
    let account = app.makeAccount()
    #expect(account.hasServer && account.account == nil && !account.isSignedIn)
    #expect(await account.signUp(name: "skipper", password: password))
    #expect(account.account?.name == "skipper" && account.isSignedIn)
    #expect(account.account?.id == app.session.userID)
    try await app.waitUntilSent()
    await until { app.sync.indicator == .synced }
    await fleet.end(app)
  }

  @Test func `What is wrong is said at its field, and the name stays`() async throws {
    let fleet = try await SyncedFleet()
    let first = try await fleet.makeApp(of: "skipper")
    let app = try await fleet.makeApp()
    let account = app.makeAccount()
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
    await fleet.end(first, app)
  }

  @Test func `Signed out, the data stays, and the same account lets in again`() async throws {
    let fleet = try await SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    let account = app.makeAccount()
    #expect(await account.signOut())
    #expect(account.account?.name == "skipper" && !account.isSignedIn)
    #expect(app.sync.connection == .signedOut && app.sync.indicator == .notSynced)
    #expect(try await app.local.fetchUserChecklists().count == 3)
    #expect(await account.signIn(name: "skipper", password: password))
    await until { app.sync.indicator == .synced }
    await fleet.end(app)
  }

  @Test func `A new password lets in, and the former one does not`() async throws {
    let fleet = try await SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    let account = app.makeAccount()
    #expect(await !account.changePassword(from: "", to: "short"))
    #expect(Set(account.errors.keys) == [.password, .newPassword])
    #expect(await !account.changePassword(from: "wrong horse", to: "battery staple"))
    #expect(account.errors == [.password: .auth(.invalidCredentials)])
    #expect(await account.changePassword(from: password, to: "battery staple"))
    #expect(await account.signOut())
    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(await account.signIn(name: "skipper", password: "battery staple"))
    await fleet.end(app)
  }

  @Test func `A server that is gone is no field's fault`() async throws {
    let fleet = try await SyncedFleet()
    let app = try await fleet.makeApp()
    await fleet.end()
    let account = app.makeAccount()
    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(account.failure == .network(.offline) && account.errors.isEmpty)
    #expect(await !account.signIn(name: "", password: password))
    #expect(account.failure == nil && account.errors.count == 1, "what failed before is over")
  }

  @Test func `Another account of the same name is no fault of a field that is not there`()
    async throws
  {
    let (fleet, other) = (try await SyncedFleet(), try await SyncedFleet())
    let app = try await fleet.makeApp(of: "skipper")
    let elsewhere = try await other.makeApp(of: "skipper")
    try await app.session.signOut()
    await #expect(throws: RepositoryError.otherAccount("skipper")) {
      try await app.local.link(
        Session.Credentials(
          account: Account(id: elsewhere.session.userID, name: "skipper"), token: "token"))
    }
    let session = try await Session.start(
      keptBy: app.local,
      with: AccountClient(HTTPTransport(other.url)), at: other.url)
    let account = AccountViewModel(session: session, sync: app.sync)
    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(account.failure == .auth(.otherAccount("skipper")) && account.errors.isEmpty)
    await fleet.end(app)
    await other.end(elsewhere)
  }

  @Test func `A server that makes no accounts says so, and whom to ask`() async throws {
    let fleet = try await SyncedFleet(opensSignUp: false)
    let app = try await fleet.makeApp()
    let account = app.makeAccount()
    #expect(await !account.signUp(name: "skipper", password: password))
    #expect(account.failure == .auth(.signUpClosed) && account.errors.isEmpty)
    await fleet.end(app)
  }

  @Test func `Who tries too often is told how long to wait`() async throws {
    let fleet = try await SyncedFleet()
    let app = try await fleet.makeApp()
    let account = app.makeAccount()
    var tries = 0
    repeat {
      tries += 1
      #expect(await !account.signIn(name: "skipper", password: "wrong horse"))
    } while account.failure == nil && tries < 100
    guard case .network(.rateLimited(let seconds?)) = account.failure else {
      Issue.record("Nobody says how long: \(String(describing: account.failure))")
      return
    }
    #expect(1...60 ~= seconds && account.errors.isEmpty)
    await fleet.end(app)
  }

  @Test func `Without a server there is nothing to sign in to`() async throws {
    let app = try await AppDependencies.makeForTesting()
    let account = app.makeAccount()
    #expect(!account.hasServer && app.sync.indicator == .notSynced)
    #expect(await !account.signIn(name: "skipper", password: password))
    #expect(account.failure == .network(.offline))
  }
}
