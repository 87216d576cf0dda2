import Foundation
import Offshore
public import OffshoreLogging
import OffshoreSync

extension RepositoryError {
  /// The error that a repository throws for another one.
  init(_ error: any Error) {
    switch error {
    case let error as RepositoryError: self = error
    case let error as DatabaseError: self.init(Self.kind(of: error), cause: error)
    case let error as SyncError where error.code == .forbidden: self.init(.forbidden, cause: error)
    default: self.init(.databaseUnavailable, cause: error)
    }
  }

  private static func kind(of error: DatabaseError) -> Kind {
    if error.isMissingRow { return .notFound }
    if error.code == .invalidValue {
      let row = error.rowKey.map(\.plainText).joined(separator: " ")
      return .serializationFailed(row: row, column: error.column ?? "?")
    }
    return error.refusesValue ? .refused : .databaseUnavailable
  }
}

extension RepositoryError {
  /// The id of the row that cannot be read, where it is one that the app made.
  var rowID: UUID? {
    if case .serializationFailed(let row, _) = kind { UUID(uuidString: row) } else { nil }
  }
}

extension RepositoryError: LoggableError {
  public var logCode: String {
    switch kind {
    case .databaseUnavailable:
      (cause as? DatabaseError).map { "databaseUnavailable.\($0.code)" } ?? "databaseUnavailable"
    case .serializationFailed(_, let column):
      ["serializationFailed", (cause as? DatabaseError)?.table, column].compactMap(\.self)
        .joined(separator: ".")
    case .refused:
      ["refused", (cause as? DatabaseError)?.constraint].compactMap(\.self)
        .joined(separator: ".")
    case .notFound: "notFound"
    case .conflict: "conflict"
    case .forbidden: "forbidden"
    }
  }
}
