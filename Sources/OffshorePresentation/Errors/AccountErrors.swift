public import OffshoreLogging
public import OffshoreSync

extension ServerClient.Failure: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .unreachable: .network(.offline)
    case .timedOut: .network(.timedOut)
    case .cancelled: .network(.cancelled)
    case .tooManyRequests: .network(.rateLimited(retryAfter: retryAfter.map { Int(clamping: $0) }))
    case .wrongPassword: .auth(.invalidCredentials)
    case .unauthorized: .auth(.expired)
    case .taken: .auth(.nameTaken)
    case .invalidName: .validation(.outOfRange(field: "accountName"))
    case .weakPassword:
      .validation(.wrongLength(field: "password", range: AccountClient.passwordLength))
    case .invalidInvitation: .auth(.invalidInvitation)
    case .lastOwner: .auth(.lastOwner)
    case .forbidden: .auth(.forbidden)
    case .signUpClosed: .auth(.signUpClosed)
    case .limitReached: .content(.limitReached)
    case .notFound, .gone: .content(.notFound)
    case .exists: .sync(.conflict)
    case .malformed: .content(.unreadable)
    case .unavailable: .network(.server(statusCode: status ?? 503))
    default: .network(.server(statusCode: status ?? 500))
    }
  }
}

extension SyncEngine.Failure: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .unreachable: .network(.offline)
    case .timedOut: .network(.timedOut)
    case .cancelled: .network(.cancelled)
    case .unauthorized: .auth(.expired)
    case .upgradeRequired: .sync(.tooOld)
    case .storage: .database(.writeFailed)
    default: .network(.server(statusCode: 500))
    }
  }
}

extension SyncEngine.Failure: LoggableError {
  public var logCode: String { "\(code)" }
}

extension OffshoreSync.SyncError: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .forbidden: .auth(.forbidden)
    case .declaration, .missingTable: .database(.migrationFailed)
    case .newerLayout: .database(.newerVersion)
    case .damaged, .notInstalled: .database(.corrupted(detail: "\(code)"))
    default: .database(.writeFailed)
    }
  }
}
