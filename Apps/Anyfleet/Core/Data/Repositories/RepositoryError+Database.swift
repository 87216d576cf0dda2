import Foundation
import Offshore
public import OffshoreLogging
import OffshoreSync

extension RepositoryError {
  /// SQLite's code for a reference without its row: <https://sqlite.org/rescode.html>.
  private static let foreignKeyCode: Int32 = 787

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
    if error.resultCode == foreignKeyCode { return .notFound }
    switch error.code {
    case .notFound, .danglingReference: return .notFound
    case .invalidValue:
      let row = error.rowKey.map(\.plainText).joined(separator: " ")
      return .serializationFailed(row: row, column: error.column ?? "?")
    default: return .databaseUnavailable
    }
  }
}

extension RepositoryError {
  /// The id of the row that cannot be read, where it is one that the app made.
  var rowID: UUID? {
    if case .serializationFailed(let row, _) = kind { UUID(uuidString: row) } else { nil }
  }
}

extension SQLValue {
  /// The value without quotes.
  fileprivate var plainText: String { if case .text(let text) = self { text } else { description } }
}

extension RepositoryError: LoggableError {
  public var logCode: String {
    switch kind {
    case .databaseUnavailable:
      (cause as? DatabaseError).map { "databaseUnavailable.\($0.code)" } ?? "databaseUnavailable"
    case .serializationFailed(_, let column):
      ["serializationFailed", (cause as? DatabaseError)?.table, column].compactMap(\.self)
        .joined(separator: ".")
    case .notFound: "notFound"
    case .conflict: "conflict"
    case .forbidden: "forbidden"
    }
  }
}
