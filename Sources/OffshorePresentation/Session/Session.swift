public import Foundation
public import Observation
public import OffshoreSync

/// The user of an app: from the first start a user that only this device knows, who may sign up for an
/// account or sign in to one.
///
/// Signing in gives the rows on the device to the account. Signed out, the rows stay and the app works on
/// this device; signing in to the same account again continues where it was.
@MainActor @Observable
public final class Session {
  /// The id that owns the rows made here: made at the first start, or the account's.
  public private(set) var userID: UUID
  /// The account that the device's rows belong to, whether it is signed in or not.
  public private(set) var account: LinkedAccount?
  /// The access token, which is a secret, or `nil` if the device is signed out.
  public private(set) var token: String?
  /// The server that the device is signed in to, if the app was started with another one since.
  ///
  /// An access token is for the server that issued it, so the device counts as signed out.
  public private(set) var formerServer: String?
  /// Whether this device is signed in.
  public var isSignedIn: Bool { token != nil }
  /// Whether there is a server to sign in to.
  public var hasServer: Bool { accounts != nil }

  @ObservationIgnored private let store: SyncedStore
  @ObservationIgnored private let accounts: (any AccountService)?
  @ObservationIgnored private let server: String?
  /// The request that revokes an access token.
  @ObservationIgnored private(set) var revocation: Task<Void, Never>?

  private init(
    _ store: SyncedStore, _ userID: UUID, _ account: LinkedAccount?, token: String?,
    _ accounts: (any AccountService)?, at server: URL?
  ) {
    self.store = store
    self.userID = userID
    self.account = account
    self.accounts = accounts
    self.server = server?.serverAddress
    let isElsewhere =
      account.map { account in
        server.map { !$0.isServer(of: account) } ?? (account.server != nil)
      } ?? false
    if let account, accounts != nil, isElsewhere {
      formerServer = token == nil ? nil : account.server
    } else {
      self.token = token
    }
  }

  /// Resumes the session of a file.
  ///
  /// - Parameters:
  ///   - store: the file, which stores the user, the account and the access token.
  ///   - accounts: the server to sign in to, if there is one.
  ///   - server: the server's address. An access token of another server is not used.
  /// - Throws: `DatabaseError`.
  public static func start(
    _ store: SyncedStore, with accounts: (any AccountService)? = nil, at server: URL? = nil
  ) async throws -> Session {
    let (userID, account, token) = try await store.identity()
    return Session(store, userID, account, token: token, accounts, at: server)
  }

  // MARK: - Signing in and out

  /// Makes an account that owns the rows on this device, and signs in to it.
  /// - Throws: `AppError`; nothing has changed then.
  public func signUp(name: String, password: String) async throws {
    guard account == nil else { throw AppError.auth(.otherAccount(account?.name ?? "")) }
    let userID = userID
    try await enter { try await $0.signUp(name, password, as: userID) }
  }

  /// Signs in to an account, and gives it the rows on this device.
  /// - Throws: `AppError`; nothing has changed then.
  public func signIn(name: String, password: String) async throws {
    try await enter { try await $0.signIn(name, password) }
  }

  private func enter(
    _ ask: (any AccountService) async throws -> SignedInAccount
  ) async throws {
    guard let accounts else { throw AppError.network(.offline) }
    let signedIn: SignedInAccount
    do { signedIn = try await ask(accounts) } catch { throw error.asAppError }
    let entered = LinkedAccount(id: signedIn.id, name: signedIn.name, server: server)
    do {
      try await store.link(entered, token: signedIn.token)
    } catch {
      revoke(signedIn.token, with: accounts)
      let isOther = (error as? OffshoreSync.SyncError)?.code == .otherAccount
      throw isOther ? AppError.auth(.otherAccount(account?.name ?? "")) : error.asAppError
    }
    (userID, account, token) = (signedIn.id, entered, signedIn.token)
    formerServer = nil
  }

  /// Signs this device out. The rows on it stay.
  ///
  /// The server is told in the background: if it cannot be reached, the access token stays valid there
  /// until it expires.
  /// - Throws: `DatabaseError`; the device is signed in as before then.
  public func signOut() async throws {
    guard let former = token else { return }
    try await store.setToken(nil)
    token = nil
    if let accounts { revoke(former, with: accounts) }
  }

  private func revoke(_ token: String, with accounts: any AccountService) {
    revocation = Task { try? await accounts.signOut(token) }
  }

  /// Changes the password, and signs all other devices out.
  /// - Throws: `AppError`.
  public func changePassword(from old: String, to new: String) async throws {
    guard let accounts, let token else { throw AppError.auth(.notSignedIn) }
    do {
      try await accounts.changePassword(from: old, to: new, token: token)
    } catch {
      throw error.asAppError
    }
  }
}
