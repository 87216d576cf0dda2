public import Foundation
public import Observation
public import OffshoreSync

/// The user of an app: until the first sign-in, a local user known only to this device.
///
/// Signing in gives the rows on the device to the account. After signing out, the rows stay, and
/// the app continues to work on this device. Signing in to the same account again resumes syncing.
/// If the rows are erased when the user signs out, any account can sign in afterwards.
@MainActor @Observable
public final class Session {
  /// The id of the owner of new rows: created at the first start, or the account's.
  public private(set) var userID: UUID
  /// The account that owns the device's rows, whether or not the device is signed in.
  public private(set) var account: LinkedAccount?
  /// The access token, which is a secret, or `nil` if the device is signed out.
  public private(set) var token: String?
  /// The server that the device is signed in to, if the app was started with another server since
  /// then.
  ///
  /// An access token is valid for the server that issued it only, so the device counts as signed
  /// out.
  public private(set) var formerServer: String?
  /// Whether this device is signed in.
  public var isSignedIn: Bool { token != nil }
  /// Whether the app has a server to sign in to.
  public var hasServer: Bool { accounts != nil }

  @ObservationIgnored private let store: SyncedStore
  @ObservationIgnored private let accounts: (any AccountService)?
  @ObservationIgnored private let server: String?
  /// The latest request to revoke an access token.
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
  ///   - store: the file with the user, the account and the access token.
  ///   - accounts: the requests to the server, or `nil` without a server.
  ///   - server: the address of the server. An access token of another server is not used.
  /// - Throws: `DatabaseError`.
  static func start(
    _ store: SyncedStore, with accounts: (any AccountService)? = nil, at server: URL? = nil
  ) async throws -> Session {
    let (userID, account, token) = try await store.identity()
    return Session(store, userID, account, token: token, accounts, at: server)
  }

  // MARK: - Signing in and out

  /// Creates an account that owns the rows on this device, and signs in to it.
  ///
  /// If an account owns the rows already, it can be created again under its name: a server that was
  /// restored from a copy lacks the accounts that were created since.
  /// - Throws: `AppError`, `otherAccount` if an account with another name owns the rows. Nothing has
  ///   changed then.
  public func signUp(name: String, password: String) async throws {
    if let account, account.name != name { throw AppError.auth(.otherAccount(account.name)) }
    let userID = userID
    try await signIn {
      try await $0.signUp(name, password, as: userID, device: Self.deviceName)
    }
  }

  /// Signs in to an account, and gives it the rows on this device.
  /// - Throws: `AppError`. Nothing has changed then.
  public func signIn(name: String, password: String) async throws {
    try await signIn { try await $0.signIn(name, password, device: Self.deviceName) }
  }

  /// The name of this machine, by which the user finds the sign-in in a list.
  private static var deviceName: String { ProcessInfo.processInfo.hostName }

  private func signIn(
    by request: (any AccountService) async throws -> SignedInAccount
  ) async throws {
    guard let accounts else { throw AppError.network(.offline) }
    let signedIn: SignedInAccount
    do { signedIn = try await request(accounts) } catch { throw error.asAppError }
    let linked = LinkedAccount(id: signedIn.id, name: signedIn.name, server: server)
    do {
      try await store.link(linked, token: signedIn.token)
    } catch {
      revoke(signedIn.token, with: accounts)
      let isOther = (error as? ReplicaError)?.code == .otherAccount
      throw isOther ? AppError.auth(.otherAccount(account?.name ?? "")) : error.asAppError
    }
    (userID, account, token) = (signedIn.id, linked, signedIn.token)
    formerServer = nil
  }

  /// Signs this device out.
  ///
  /// The access token is revoked in the background. If the server cannot be reached, the token
  /// stays valid there until it expires.
  ///
  /// - Parameter isErasing: whether to remove everything of the user from this device, as
  ///   `SyncedStore.erase()` does. From then on, the user is a new local one. Otherwise the rows stay.
  ///   If the file is synced by a ``SyncService``, call its method instead, which stops syncing before.
  /// - Throws: `DatabaseError`. The device is still signed in then.
  public func signOut(erasing isErasing: Bool = false) async throws {
    let former = token
    if isErasing {
      try await store.erase()
      (account, formerServer) = (nil, nil)
    } else if former != nil {
      try await store.setToken(nil)
    }
    token = nil
    if let former, let accounts { revoke(former, with: accounts) }
    if isErasing { userID = try await store.read { try SyncedStore.userID($0) } }
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

  // MARK: - Devices, and the end of the account

  /// Fetches the devices that are signed in to the account, the one with the oldest sign-in first.
  /// - Throws: `AppError`.
  public func devices() async throws -> [SignedInDevice] {
    try await send { try await $0.devices(token: $1) }
  }

  /// Signs another device out. Does nothing if it is signed out already.
  /// - Throws: `AppError`.
  public func signOut(_ device: SignedInDevice) async throws {
    do {
      try await send { try await $0.endSignIn(of: device, token: $1) }
    } catch AppError.content(.notFound) {}
  }

  /// Deletes the account on the server, and signs this device out. The rows on it stay.
  /// - Throws: `AppError`, `invalidCredentials` if the password is wrong; `DatabaseError` if the access
  ///   token cannot be removed from the file. The account is deleted then, and the token is not valid.
  public func deleteAccount(password: String) async throws {
    try await send { try await $0.deleteAccount(password: password, token: $1) }
    token = nil
    try await store.setToken(nil)
  }

  private func send<Answer>(
    _ body: (any AccountService, String) async throws -> Answer
  ) async throws -> Answer {
    guard let accounts, let token else { throw AppError.auth(.notSignedIn) }
    do {
      return try await body(accounts, token)
    } catch {
      throw error.asAppError
    }
  }
}

/// The requests of a session to the accounts of a server.
///
/// Each throws an error that converts to `AppError`.
protocol AccountService: Sendable {
  /// Creates an account with the user id of the device's data, and signs the device in.
  func signUp(
    _ name: String, _ password: String, as owner: UUID, device: String?
  ) async throws -> SignedInAccount

  /// Signs a device in to an account.
  func signIn(
    _ name: String, _ password: String, device: String?
  ) async throws -> SignedInAccount

  /// Revokes an access token.
  func signOut(_ token: String) async throws

  /// Changes the password, and signs all other devices out.
  func changePassword(from old: String, to new: String, token: String) async throws

  /// Returns the signed-in devices of the account.
  func devices(token: String) async throws -> [SignedInDevice]

  /// Signs a device of the account out.
  func endSignIn(of device: SignedInDevice, token: String) async throws

  /// Deletes the account, and signs all of its devices out.
  func deleteAccount(password: String, token: String) async throws
}

extension AccountClient: AccountService {}
