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
    }
  }
}
