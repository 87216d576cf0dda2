import Offshore
public import OffshorePresentation

extension RepositoryError: AppErrorConvertible {
  public var asAppError: AppError {
    if let cause = cause as? DatabaseError { return cause.asAppError }
    return switch kind {
    case .databaseUnavailable: .database(.readFailed)
    case .serializationFailed(let row, let column):
      .database(.unreadable(StoredPlace(column: column, row: row)))
    case .refused: .database(.refused(detail: "refused"))
    case .notFound: .database(.notFound)
    case .conflict: .sync(.conflict)
    case .forbidden: .auth(.forbidden)
    case .otherAccount(let name): .auth(.otherAccount(name))
    }
  }
}

extension AppError {
  /// The error of something that was to be saved.
  init(saving error: any Error) {
    let error = error.asAppError
    self = error == .database(.readFailed) ? .database(.writeFailed) : error
  }
}
