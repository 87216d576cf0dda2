public import Observation
public import OffshorePresentation

/// Signing up, in and out, and changing the password.
///
/// What was typed is kept but for passwords, which nothing here remembers.
@MainActor @Observable
public final class AccountViewModel {
  /// What somebody fills in.
  public enum Field: Hashable, Sendable {
    case name, password, newPassword
  }

  /// The least number of characters of a password.
  public static let passwordLength = 8

  /// The name that was typed last.
  public private(set) var name = ""
  /// What is wrong with what was typed.
  public private(set) var errors: [Field: AppError] = [:]
  /// Why the last thing that was asked for did not happen, where no field is to blame.
  public private(set) var failure: AppError?

  private let session: Session
  private let sync: SyncService
  @ObservationIgnored private var isBusy = false

  /// Takes who uses the device, and what follows who that is.
  public init(session: Session, sync: SyncService) {
    self.session = session
    self.sync = sync
  }

  // MARK: - Who it is

  /// Whether there is a server to sign in to.
  public var hasServer: Bool { session.hasServer }
  /// The account that the device's data belongs to, whether it is signed in or not.
  public var account: Account? { session.account }
  /// Whether this device is signed in.
  public var isSignedIn: Bool { session.isSignedIn }
  /// Whether the server does not let this device in any more, though it is signed in.
  public var isExpired: Bool { sync.connection == .expired }

  // MARK: - What is asked for

  /// Makes an account that owns what is on this device, and begins to sync.
  /// - Returns: whether it is signed in; if not, ``errors`` and ``failure`` say why.
  public func signUp(name: String, password: String) async -> Bool {
    await enter(name, password, atLeast: Self.passwordLength) {
      try await session.signUp(name: name, password: password)
    }
  }

  /// Signs in, gives the account what is on this device, and begins to sync.
  /// - Returns: whether it is signed in; if not, ``errors`` and ``failure`` say why.
  public func signIn(name: String, password: String) async -> Bool {
    await enter(name, password, atLeast: 1) {
      try await session.signIn(name: name, password: password)
    }
  }

  /// Signs this device out, and ends syncing. What is on it stays.
  /// - Returns: whether it is signed out; if not, ``failure`` says why.
  public func signOut() async -> Bool {
    await perform(blaming: .password) {
      try await session.signOut()
      await sync.start()
    }
  }

  /// Changes the password, and signs all other devices out.
  /// - Returns: whether it is changed; if not, ``errors`` and ``failure`` say why.
  public func changePassword(from old: String, to new: String) async -> Bool {
    errors = [:]
    require(old, .password, named: "password", atLeast: 1)
    require(new, .newPassword, named: "password", atLeast: Self.passwordLength)
    guard errors.isEmpty else { return false }
    return await perform(blaming: .newPassword) {
      try await session.changePassword(from: old, to: new)
    }
  }

  // MARK: - Steps

  private func enter(
    _ name: String, _ password: String, atLeast minimum: Int,
    _ action: @MainActor () async throws -> Void
  ) async -> Bool {
    self.name = name
    errors = [:]
    require(name.trimmedOrNil ?? "", .name, named: "accountName", atLeast: 1)
    require(password, .password, named: "password", atLeast: minimum)
    guard errors.isEmpty else { return false }
    return await perform(blaming: .password) {
      try await action()
      self.name = ""
      await sync.start()
    }
  }

  private func require(_ text: String, _ field: Field, named name: String, atLeast minimum: Int) {
    guard text.count < minimum else { return }
    errors[field] = .validation(.tooShort(field: name, minimum: minimum))
  }

  /// Does one thing at a time: a form that is sent twice signs in once.
  /// - Parameter field: where it is said that a password is too short.
  private func perform(
    blaming field: Field, _ action: @MainActor () async throws -> Void
  ) async -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    defer { isBusy = false }
    (errors, failure) = ([:], nil)
    do {
      try await action()
      return true
    } catch {
      blame(error.asAppError, field)
      return false
    }
  }

  private func blame(_ error: AppError, _ field: Field) {
    switch error {
    case .auth(.nameTaken), .auth(.otherAccount), .validation(.outOfRange): errors[.name] = error
    case .auth(.invalidCredentials): errors[.password] = error
    case .validation(.tooShort): errors[field] = error
    default: failure = error
    }
  }
}
