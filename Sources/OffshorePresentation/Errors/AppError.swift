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
    default: nil
    }
  }

  /// Whether the same operation may succeed if it is tried again.
  public var isRetryable: Bool {
    switch self {
    case .network(let error): error.isRetryable
    case .auth, .content, .validation: false
    case .sync(let error): error == .paused
    case .database(.corrupted), .database(.unreadable), .database(.migrationFailed),
      .database(.newerVersion), .database(.refused):
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

// MARK: - Case names

extension AuthError {
  fileprivate var name: String {
    if case .otherAccount = self { "otherAccount" } else { "\(self)" }
  }
}

extension NetworkError {
  fileprivate var name: String {
    switch self {
    case .offline: "offline"
    case .timedOut: "timedOut"
    case .server: "server"
    case .rateLimited: "rateLimited"
    case .cancelled: "cancelled"
    }
  }

  /// Whether the same request may succeed later. A server that failed may recover; a request that
  /// was refused (a status below 500) is refused again.
  fileprivate var isRetryable: Bool {
    switch self {
    case .offline, .timedOut, .rateLimited: true
    case .server(let statusCode): statusCode >= 500
    case .cancelled: false
    }
  }
}

extension SyncError {
  fileprivate var name: String {
    switch self {
    case .conflict: "conflict"
    case .rejected: "rejected"
    case .tooOld: "tooOld"
    case .paused: "paused"
    }
  }
}

extension ValidationError {
  fileprivate var name: String {
    switch self {
    case .emptyName: "emptyName"
    case .invalidDateRange: "invalidDateRange"
    case .missingRequiredFields: "missingFields"
    case .tooShort(let field, _): "tooShort.\(field)"
    case .tooLong(let field, _): "tooLong.\(field)"
    case .wrongLength(let field, _): "wrongLength.\(field)"
    case .outOfRange(let field): "outOfRange.\(field)"
    }
  }
}

extension DatabaseFailure {
  fileprivate var name: String {
    switch self {
    case .readFailed: "readFailed"
    case .writeFailed: "writeFailed"
    case .refused: "refused"
    case .migrationFailed: "migrationFailed"
    case .newerVersion: "newerVersion"
    case .corrupted: "corrupted"
    case .unreadable: "unreadable"
    case .notFound: "notFound"
    case .full: "full"
    case .busy: "busy"
    }
  }
}
