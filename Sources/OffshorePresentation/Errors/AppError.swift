/// A failure as a screen shows it.
///
/// Modules throw their own errors; ``Swift/Error/asAppError`` turns any of them into one of these.
public enum AppError: Error, Sendable {
  /// Between this device and a server.
  case network(NetworkError)
  /// Who somebody is and what they may do.
  case auth(AuthError)
  /// Something that was asked for.
  case content(ContentError)
  /// The exchange of changes between devices.
  case sync(SyncError)
  /// What somebody entered.
  case validation(ValidationError)
  /// What is stored on this device.
  case database(DatabaseFailure)
  /// Anything else.
  case unknown(underlying: any Error)

  /// A name that is stable across releases, for example `database.notFound`.
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

  /// Where it happened, for who looks after what is stored; no sentence, and in no language.
  public var detail: String? {
    switch self {
    case .database(.corrupted(let detail)), .database(.refused(let detail)): detail
    case .database(.unreadable(let place)): "\(place)"
    default: nil
    }
  }

  /// Whether doing the same again may help.
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
  /// Whether two errors say the same. Unknown ones do where their debug descriptions agree.
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

// MARK: - Names of cases

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

  /// A request that the server refused as such is refused again; one that it failed at may not be.
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
