import Foundation
import Offshore
public import OffshoreLogging
public import OffshorePresentation
import OffshoreSync

/// The error of an operation on stored data.
public struct RepositoryError: Error, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// The data cannot be read or written at the moment.
    case databaseUnavailable
    /// The value of a row's column cannot be read.
    case serializationFailed(row: String, column: String)
    /// A value violates a constraint, such as a unique id; nothing was changed.
    case refused
    /// The row does not exist, or was deleted.
    case notFound
    /// This account may only read the rows.
    case forbidden
  }

  /// The kind of failure.
  public let kind: Kind
  /// The underlying error.
  public let cause: (any Error)?

  /// Creates an error.
  public init(_ kind: Kind, cause: (any Error)? = nil) {
    self.kind = kind
    self.cause = cause
  }

  /// The data cannot be read or written at the moment.
  public static let databaseUnavailable = RepositoryError(.databaseUnavailable)
  /// A value violates a constraint; nothing was changed.
  public static let refused = RepositoryError(.refused)
  /// The row does not exist, or was deleted.
  public static let notFound = RepositoryError(.notFound)

  /// This account may only read the rows.
  public static let forbidden = RepositoryError(.forbidden)

  /// Returns the error of a value that cannot be read.
  public static func serializationFailed(row: String, column: String) -> Self {
    Self(.serializationFailed(row: row, column: column))
  }
}

extension RepositoryError: Hashable {
  /// Returns whether two errors have the same kind. Their causes are ignored.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind }

  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// Returns whether an error equals the pattern, as in `catch RepositoryError.notFound`.
  public static func ~= (pattern: Self, error: any Error) -> Bool {
    (error as? Self) == pattern
  }
}

extension RepositoryError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .databaseUnavailable: "databaseUnavailable: The data cannot be used now. Try again."
    case .serializationFailed(let row, let column):
      "serializationFailed: Row \(row) has a value in \(column) that cannot be read. "
        + "Restore a backup, or delete the row."
    case .refused: "refused: A value breaks a rule, and nothing was changed. Correct it."
    case .notFound: "notFound: The row does not exist, or was deleted."
    case .forbidden:
      "forbidden: This account may only read the charter. Ask an owner for another role."
    }
  }
}

extension RepositoryError {
  /// Creates the error of a repository from an underlying error.
  init(_ error: any Error) {
    switch error {
    case let error as RepositoryError: self = error
    case let error as DatabaseError: self.init(Self.kind(of: error), cause: error)
    case let error as ReplicaError where error.code == .forbidden:
      self.init(.forbidden, cause: error)
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
  /// The id of the unreadable row, if it is a UUID.
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
    case .forbidden: "forbidden"
    }
  }
}

extension RepositoryError: AppErrorConvertible {
  public var asAppError: AppError {
    if let cause = cause as? DatabaseError { return cause.asAppError }
    return switch kind {
    case .databaseUnavailable: .database(.readFailed)
    case .serializationFailed(let row, let column):
      .database(.unreadable(StoredPlace(column: column, row: row)))
    case .refused: .database(.refused(detail: "refused"))
    case .notFound: .database(.notFound)
    case .forbidden: .auth(.forbidden)
    }
  }
}
