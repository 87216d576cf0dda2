public import Foundation
public import Observation
import OffshoreSync

/// Who is using the app: from the first start on somebody whom only this device knows, and who may sign
/// up or in to an account.
///
/// Signing in gives what is on the device to the account. Signed out, the data stays and the app goes on
/// to work on this device; signing in again, to the same account, goes on where it was.
@MainActor @Observable
public final class Session {
  /// The account of a device, and what lets it in.
  public struct Credentials: Hashable, Sendable {
    public let account: Account
    /// What lets the device in, or `nil` where it is signed out. It is a secret.
    public let token: String?
    /// The origin of the server that it lets in to, which alone may see it.
    public let server: String?

    /// Takes an account and what lets in.
    public init(account: Account, token: String?, server: String? = nil) {
      self.account = account
      self.token = token
      self.server = server
    }
  }

  /// The id of who owns what is made here: one that was made at the first start, or the account's.
  public private(set) var userID: UUID
  /// The account that the device's data belongs to, whether it is signed in or not.
  public private(set) var account: Account?
  /// What lets the device in, or `nil` where it is signed out.
  public private(set) var token: String?
  /// The server that the device is signed in to, where the app was started with another one since.
  ///
  /// The token of the one is not for the other, so the device counts as signed out.
  public private(set) var formerServer: String?
  /// Whether this device is signed in.
  public var isSignedIn: Bool { token != nil }
  /// Whether there is a server to sign in to.
  public var hasServer: Bool { accounts != nil }

  @ObservationIgnored private let storage: any SessionStorage
  @ObservationIgnored private let accounts: (any AccountService)?
  @ObservationIgnored private let server: String?
  /// Tells the server that a token is not used any more.
  @ObservationIgnored private(set) var farewell: Task<Void, Never>?

  private init(
    userID: UUID, _ credentials: Credentials?, _ storage: some SessionStorage,
    _ accounts: (any AccountService)?, at server: String?
  ) {
    self.userID = userID
    account = credentials?.account
    if let credentials, accounts != nil, credentials.server != server {
      formerServer = credentials.token == nil ? nil : credentials.server
    } else {
      token = credentials?.token
    }
    self.storage = storage
    self.accounts = accounts
    self.server = server
  }

  /// Resumes the session of this device, or begins it at the first start.
  ///
  /// - Parameters:
  ///   - storage: where the id is kept.
  ///   - accounts: the server to sign in to, if there is one.
  ///   - server: where it is. A token that another one gave is not used.
  ///   - makeID: makes an id for the first start.
  /// - Throws: what the storage throws.
  public static func start(
    keptBy storage: some SessionStorage, with accounts: (any AccountService)? = nil,
    at server: URL? = nil, makeID: () -> UUID = UUID.init
  ) async throws -> Session {
    Session(
      userID: try await storage.userID(firstly: makeID()), try await storage.credentials(), storage,
      accounts, at: server?.origin)
  }

  // MARK: - Signing in and out

  /// Makes an account that owns what is on this device, and signs in to it.
  /// - Throws: `AppError`; the device is as it was then.
  public func signUp(name: String, password: String) async throws {
    guard account == nil else { throw AppError.auth(.otherAccount(account?.name ?? "")) }
    let userID = userID
    try await enter { try await $0.signUp(name, password, as: userID) }
  }

  /// Signs in to an account, and gives it what is on this device.
  /// - Throws: `AppError`; the device is as it was then.
  public func signIn(name: String, password: String) async throws {
    try await enter { try await $0.signIn(name, password) }
  }

  private func enter(
    _ ask: (any AccountService) async throws -> SignedInAccount
  ) async throws {
    guard let accounts else { throw AppError.network(.offline) }
    let signedIn: SignedInAccount
    do { signedIn = try await ask(accounts) } catch { throw error.asAppError }
    let credentials = Credentials(
      account: Account(id: signedIn.id, name: signedIn.name), token: signedIn.token,
      server: server)
    do {
      try await storage.link(credentials)
    } catch {
      // Nobody is going to use it.
      sayFarewell(to: accounts, signedIn.token)
      throw error.asAppError
    }
    (userID, account, token) = (signedIn.id, credentials.account, signedIn.token)
    formerServer = nil
  }

  /// Signs this device out. What is on it stays.
  ///
  /// The server is told, but nobody waits for that: where it cannot be reached, it still knows the token
  /// until that expires.
  /// - Throws: what the storage throws; the device is signed in as before then.
  public func signOut() async throws {
    guard let former = token else { return }
    try await storage.keepToken(nil)
    token = nil
    if let accounts { sayFarewell(to: accounts, former) }
  }

  private func sayFarewell(to accounts: any AccountService, _ token: String) {
    farewell = Task { try? await accounts.signOut(token) }
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
