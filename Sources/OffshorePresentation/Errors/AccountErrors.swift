public import OffshoreSync

extension AccountClient.Failure: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .unreachable: .network(.offline)
    case .timedOut: .network(.timedOut)
    case .cancelled: .network(.cancelled)
    case .tooManyRequests: .network(.rateLimited(retryAfter: nil))
    case .wrongPassword: .auth(.invalidCredentials)
    case .unauthorized: .auth(.expired)
    case .taken: .auth(.nameTaken)
    case .invalidName: .validation(.outOfRange(field: "accountName"))
    case .weakPassword:
      .validation(.wrongLength(field: "password", range: AccountClient.passwordLength))
    case .invalidInvitation: .auth(.invalidInvitation)
    case .lastOwner: .auth(.lastOwner)
    case .forbidden: .auth(.forbidden)
    case .limitReached: .content(.limitReached)
    case .notFound: .content(.notFound)
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
