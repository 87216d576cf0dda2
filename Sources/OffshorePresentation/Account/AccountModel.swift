public import Observation
public import OffshoreSync

/// The model of the pages for signing up, in and out, for changing the password, and for deleting the
/// account. ``DevicesModel`` has the signed-in devices.
///
/// After a failure the name stays in the form. Passwords are never stored.
@MainActor @Observable
public final class AccountModel {
  /// A field of the forms.
  public enum Field: Hashable, Sendable {
    /// The name of the account.
    case name
    /// The password; the current one if it is to be changed.
    case password
    /// The new password.
    case newPassword
    /// The password in the form that deletes the account.
    case deletionPassword
    /// The confirmation that the account is to be deleted.
    case confirmation
    /// The confirmation that everything is to be removed from this device.
    case erasureConfirmation
    /// The confirmation that the device is to be signed out before all changes are sent.
    case signOutConfirmation
  }

  /// The allowed numbers of characters of a password.
  nonisolated public static let passwordLength = AccountClient.passwordLength

  /// The latest name that was entered.
  public private(set) var name = ""
  /// The errors of fields.
  public private(set) var errors: [Field: AppError] = [:]
  /// The error of the latest request, if no field is its cause.
  public private(set) var failure: AppError?

  private let sync: SyncService
  @ObservationIgnored private var isBusy = false

  private var session: Session { sync.session }

  /// Creates a model.
  public init(_ sync: SyncService) { self.sync = sync }

  // MARK: - State

  /// The number of pending and refused changes of this device, and of rows whose files were not sent. An
  /// erasure loses them.
  public var unsentCount: Int { sync.storeStatus.unsentCount + sync.storeStatus.refusedCount }
  /// Whether there is a server to sign in to.
  public var hasServer: Bool { session.hasServer }
  /// The account that owns the device's rows, whether or not the device is signed in.
  public var account: LinkedAccount? { session.account }
  /// Whether this device is signed in.
  public var isSignedIn: Bool { session.isSignedIn }
  /// The server that the device is signed in to, if the app was started with another server since
  /// then.
  public var formerServer: String? { session.formerServer }
  /// Whether the server has rejected the access token, because it has expired or was revoked.
  public var isExpired: Bool { sync.connection == .expired }

  // MARK: - Requests by the user

  /// Creates an account that owns the rows on this device, and starts to sync.
  /// - Returns: `false` if it failed, with the reasons in ``errors`` and ``failure``.
  public func signUp(name: String, password: String) async -> Bool {
    await submit(name, password, Self.passwordLength) {
      try await sync.signUp(name: name, password: password)
    }
  }

  /// Signs in to an account, gives it the rows on this device, and starts to sync.
  /// - Returns: `false` if it failed, with the reasons in ``errors`` and ``failure``.
  public func signIn(name: String, password: String) async -> Bool {
    await submit(name, password, 1...) {
      try await sync.signIn(name: name, password: password)
    }
  }

  /// Signs this device out, and stops syncing. The rows on it stay, and changes wait.
  /// - Parameter isConfirmed: whether the user confirms it although changes are not sent.
  /// - Returns: `false` if it failed, with the reasons in ``errors`` and ``failure``.
  public func signOut(isConfirmed: Bool = false) async -> Bool {
    (errors, failure) = ([:], nil)
    guard unsentCount == 0 || isConfirmed else {
      errors[.signOutConfirmation] = .validation(.missingRequiredFields)
      return false
    }
    return await perform(errorsAt: .password) { try await sync.signOut() }
  }

  /// Changes the password, and signs all other devices out.
  /// - Returns: `false` if it failed, with the reasons in ``errors`` and ``failure``.
  public func changePassword(from old: String, to new: String) async -> Bool {
    (errors, failure) = ([:], nil)
    require(old, .password, named: "password", 1...)
    require(new, .newPassword, named: "password", Self.passwordLength)
    guard errors.isEmpty else { return false }
    return await perform(errorsAt: .newPassword) {
      try await session.changePassword(from: old, to: new)
    }
  }

  /// Deletes the account on the server, and signs this device out. The rows on it stay.
  /// - Parameter isConfirmed: whether the user has confirmed the deletion, which cannot be undone.
  /// - Returns: `false` if it failed, with the reasons in ``errors`` and ``failure``.
  public func deleteAccount(password: String, isConfirmed: Bool) async -> Bool {
    (errors, failure) = ([:], nil)
    require(password, .deletionPassword, named: "password", 1...)
    if !isConfirmed { errors[.confirmation] = .validation(.missingRequiredFields) }
    guard errors.isEmpty else { return false }
    return await perform(errorsAt: .deletionPassword) {
      try await sync.deleteAccount(password: password)
    }
  }

  /// Removes everything of the user from this device, and signs it out.
  /// - Parameter isConfirmed: whether the user has confirmed the removal, which cannot be undone.
  /// - Returns: `false` if it failed, with the reasons in ``errors`` and ``failure``.
  public func erase(isConfirmed: Bool) async -> Bool {
    (errors, failure) = ([:], nil)
    guard isConfirmed else {
      errors[.erasureConfirmation] = .validation(.missingRequiredFields)
      return false
    }
    return await perform(errorsAt: .password) { try await sync.signOut(erasing: true) }
  }

  // MARK: - Steps

  private func submit(
    _ name: String, _ password: String, _ length: some RangeExpression<Int>,
    _ action: @MainActor () async throws -> Void
  ) async -> Bool {
    self.name = name
    (errors, failure) = ([:], nil)
    require(name.filter { !$0.isWhitespace }, .name, named: "accountName", 1...)
    require(password, .password, named: "password", length)
    guard errors.isEmpty else { return false }
    return await perform(errorsAt: .password) {
      try await action()
      self.name = ""
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

  /// Runs one request at a time, so that submitting a form twice signs in once.
  /// - Parameter field: the field that shows errors about the length of a password.
  private func perform(
    errorsAt field: Field, _ action: @MainActor () async throws -> Void
  ) async -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    defer { isBusy = false }
    (errors, failure) = ([:], nil)
    do {
      try await action()
      return true
    } catch {
      show(error.asAppError, field)
      return false
    }
  }

  /// Shows an error at the field that caused it. The form has no field for the name if an account
  /// owns the rows.
  private func show(_ error: AppError, _ field: Field) {
    switch error {
    case .auth(.nameTaken), .validation(.outOfRange):
      if account == nil { errors[.name] = error } else { failure = error }
    case .auth(.invalidCredentials):
      errors[field == .deletionPassword ? field : .password] = error
    case .validation(.tooShort), .validation(.tooLong), .validation(.wrongLength):
      errors[field] = error
    default: failure = error
    }
  }
}
