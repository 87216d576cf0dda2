/// A failure in the form that a screen shows.
///
/// Modules throw their own errors; ``Swift/Error/asAppError`` converts any error to this type.
public enum AppError: Error, Sendable {
  /// A failure of the connection to a server.
  case network(NetworkError)
  /// A failure of authentication or authorization.
  case auth(AuthError)
  /// A failure about requested content.
  case content(ContentError)
  /// A failure of syncing.
  case sync(SyncError)
  /// Invalid input.
  case validation(ValidationError)
  /// A failure of the storage on this device.
  case database(DatabaseFailure)
  /// Any other error.
  case unknown(underlying: any Error)

  /// An identifier that is stable across releases, such as `database.notFound`.
  public var id: String {
    switch self {
    case .network(let error): "network.\(error.name)"
    case .auth(let error): "auth.\(error.name)"
    case .content(let error): "content.\(error)"
    case .sync(let error): "sync.\(error.name)"
    case .validation(let error): "validation.\(error.name)"
    case .database(let error): "database.\(error.name)"
    case .unknown: "unknown"
    }
  }

  /// The place of the failure, for support. It is not a sentence and is not localized.
  public var detail: String? {
    switch self {
    case .database(.corrupted(let detail)), .database(.refused(let detail)): detail
    case .database(.unreadable(let place)): "\(place)"
    case .database(.fileDamaged(let name, _)): name
    default: nil
    }
  }

  /// Whether the same operation may succeed if it is tried again.
  public var isRetryable: Bool {
    switch self {
    case .network(let error): error.isRetryable
    case .auth, .content, .validation: false
    case .sync(let error): error == .paused
    case .database(.corrupted), .database(.fileDamaged), .database(.unreadable),
      .database(.migrationFailed), .database(.newerVersion), .database(.refused):
      false
    case .database, .unknown: true
    }
  }
}

extension AppError: Equatable {
  /// Returns whether two errors are equal. Unknown ones are compared by their debug descriptions.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.network(let lhs), .network(let rhs)): lhs == rhs
    case (.auth(let lhs), .auth(let rhs)): lhs == rhs
    case (.content(let lhs), .content(let rhs)): lhs == rhs
    case (.sync(let lhs), .sync(let rhs)): lhs == rhs
    case (.validation(let lhs), .validation(let rhs)): lhs == rhs
    case (.database(let lhs), .database(let rhs)): lhs == rhs
    case (.unknown(let lhs), .unknown(let rhs)): String(reflecting: lhs) == String(reflecting: rhs)
    default: false
    }
  }
}

// MARK: - Sentences

extension AppError {
  /// A sentence for the user about the failure.
  public var localizedMessage: LocalizedText { localizedMessage(naming: .common) }

  /// Returns a sentence for the user about the failure.
  ///
  /// - Parameter fields: the labels of the fields that the error names.
  public func localizedMessage(naming fields: FieldNames) -> LocalizedText {
    switch self {
    case .network(let error): error.message
    case .auth(let error): error.message
    case .content(let error): error.message
    case .sync(let error): error.message
    case .validation(let error): error.message(fields)
    case .database(let error): error.message
    case .unknown: LocalizedText(en: "Something went wrong.", ru: "Что-то пошло не так.")
    }
  }

  /// A sentence for the user about a remedy; `nil` if the message suffices.
  public var recoverySuggestion: LocalizedText? {
    switch self {
    case .network(let error): error.suggestion
    case .auth(let error): error.suggestion
    case .content(let error): error.suggestion
    case .sync(let error): error.suggestion
    case .validation: nil
    case .database(let error): error.suggestion
    case .unknown: .tryAgainHint
    }
  }
}

extension LocalizedText {
  static let tryAgainHint = LocalizedText(en: "Try again.", ru: "Попробуйте ещё раз.")
  static let tryAgainSoonHint = LocalizedText(
    en: "Try again in a moment.", ru: "Попробуйте ещё раз чуть позже.")
  static let chooseAnotherHint = LocalizedText(
    en: "Go back and choose another.", ru: "Вернитесь и выберите другое.")
}
