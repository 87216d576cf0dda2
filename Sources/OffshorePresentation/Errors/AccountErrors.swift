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
    case .weakPassword: .validation(.tooShort(field: "password", minimum: 8))
    case .invalidInvitation: .auth(.invalidInvitation)
    case .lastOwner: .auth(.lastOwner)
    case .forbidden: .auth(.forbidden)
    default: .network(.server(statusCode: 500))
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
