import Offshore
public import OffshorePresentation

extension RepositoryError: AppErrorConvertible {
  public var asAppError: AppError {
    switch kind {
    case .databaseUnavailable:
      (cause as? DatabaseError)?.asAppError ?? .database(.readFailed)
    case .serializationFailed(let row, let column):
      .database(
        .unreadable(
          StoredPlace(table: (cause as? DatabaseError)?.table, column: column, row: row)))
    case .notFound: .database(.notFound)
    case .conflict: .sync(.conflict)
    case .forbidden: .auth(.forbidden)
    }
  }
}
