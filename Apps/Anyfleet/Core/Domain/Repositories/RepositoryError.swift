public import Foundation

/// Why something stored could not be had or changed.
public struct RepositoryError: Error, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// What is stored cannot be read or written at the moment.
    case databaseUnavailable
    /// What is stored in a row's column is not what belongs there.
    case serializationFailed(row: String, column: String)
    /// A value breaks a rule, such as that no two things have one id; nothing was changed.
    case refused
    /// There is no such thing, or not any more.
    case notFound
    /// Something else is stored than what was changed: the version of a date.
    case conflict(with: Date?)
    /// This account may only look at it.
    case forbidden
  }

  /// The kind of failure.
  public let kind: Kind
  /// The error that led to this one.
  public let cause: (any Error)?

  /// Creates an error.
  public init(_ kind: Kind, cause: (any Error)? = nil) {
    self.kind = kind
    self.cause = cause
  }

  /// What is stored cannot be read or written at the moment.
  public static let databaseUnavailable = RepositoryError(.databaseUnavailable)
  /// A value breaks a rule; nothing was changed.
  public static let refused = RepositoryError(.refused)
  /// There is no such thing, or not any more.
  public static let notFound = RepositoryError(.notFound)

  /// This account may only look at it.
  public static let forbidden = RepositoryError(.forbidden)

  /// What is stored in a row's column is not what belongs there.
  public static func serializationFailed(row: String, column: String) -> Self {
    Self(.serializationFailed(row: row, column: column))
  }

  /// Something else is stored than what was changed: the version of a date.
  public static func conflict(with version: Date? = nil) -> Self { Self(.conflict(with: version)) }
}

extension RepositoryError: Hashable {
  /// Whether two errors are of one kind, whatever led to them.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind }

  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// Lets `catch RepositoryError.notFound` match.
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
    case .notFound: "notFound: There is no such thing, or not any more."
    case .conflict: "conflict: Something else was stored meanwhile. Look at both and choose."
    case .forbidden: "forbidden: This account may only look at it. Ask an owner for more."
    }
  }
}
