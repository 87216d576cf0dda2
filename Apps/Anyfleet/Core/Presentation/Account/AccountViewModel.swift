public import Observation
public import OffshorePresentation
import OffshoreSync

/// Signing up, in and out, and changing the password.
///
/// What was typed is kept but for passwords, which nothing here remembers.
@MainActor @Observable
public final class AccountViewModel {
  /// What somebody fills in.
  public enum Field: Hashable, Sendable {
    case name, password, newPassword
  }

  /// How many characters a password may have.
  nonisolated public static let passwordLength = AccountClient.passwordLength

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
  /// The server that the device is signed in to, where the app was started with another one since.
  public var formerServer: String? { session.formerServer }
  /// Whether the server does not let this device in any more, though it is signed in.
  public var isExpired: Bool { sync.connection == .expired }

  // MARK: - What is asked for

  /// Makes an account that owns what is on this device, and begins to sync.
  /// - Returns: whether it is signed in; if not, ``errors`` and ``failure`` say why.
  public func signUp(name: String, password: String) async -> Bool {
    await enter(name, password, Self.passwordLength) {
      try await session.signUp(name: name, password: password)
    }
  }

  /// Signs in, gives the account what is on this device, and begins to sync.
  /// - Returns: whether it is signed in; if not, ``errors`` and ``failure`` say why.
  public func signIn(name: String, password: String) async -> Bool {
    await enter(name, password, 1...) {
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
    (errors, failure) = ([:], nil)
    require(old, .password, named: "password", 1...)
    require(new, .newPassword, named: "password", Self.passwordLength)
    guard errors.isEmpty else { return false }
    return await perform(blaming: .newPassword) {
      try await session.changePassword(from: old, to: new)
    }
  }

  // MARK: - Steps

  private func enter(
    _ name: String, _ password: String, _ length: some RangeExpression<Int>,
    _ action: @MainActor () async throws -> Void
  ) async -> Bool {
    self.name = name
    (errors, failure) = ([:], nil)
    require(name.trimmedOrNil ?? "", .name, named: "accountName", 1...)
    require(password, .password, named: "password", length)
    guard errors.isEmpty else { return false }
    return await perform(blaming: .password) {
      try await action()
      self.name = ""
      await sync.start()
    }
  }

  private func require(
    _ text: String, _ field: Field, named name: String, _ length: some RangeExpression<Int>
  ) {
    guard !length.contains(text.count) else { return }
    let range = length.relative(to: 0..<Int.max)
    errors[field] = .validation(
      text.count < range.lowerBound
        ? .tooShort(field: name, minimum: range.lowerBound)
        : .tooLong(field: name, maximum: range.upperBound - 1))
  }

  /// Does one thing at a time: a form that is sent twice signs in once.
  /// - Parameter field: where it is said that a password is too short or too long.
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

  /// Says what is wrong where it was typed. No name is typed where the data belongs to an account.
  private func blame(_ error: AppError, _ field: Field) {
    switch error {
    case .auth(.nameTaken), .validation(.outOfRange):
      if account == nil { errors[.name] = error } else { failure = error }
    case .auth(.invalidCredentials): errors[.password] = error
    case .validation(.tooShort), .validation(.tooLong), .validation(.wrongLength):
      errors[field] = error
    default: failure = error
    }
  }
}
