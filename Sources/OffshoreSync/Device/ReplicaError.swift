public import OffshoreLogging

/// The reason why a device cannot capture, seal or apply a change.
///
/// ``description`` names tables, columns and remedies but never a value of a row, so it is safe to
/// show and to log.
public struct ReplicaError: Error, Hashable, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The problem and its remedy, in one or two sentences without any value of a row.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ReplicaError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}

extension ReplicaError: LoggableError {
  /// The name of the code, for logs.
  public var logCode: String { "\(code)" }
}

extension ReplicaError {
  /// A kind of failure. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case declaration, missingTable, newerLayout, notInstalled, dependency, damaged
      case forbidden, otherAccount, invalidID, lastOwner, alreadySent, invalidValue
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// A declaration contradicts the tables or another declaration.
    public static let declaration = Code(.declaration)
    /// The file lacks a synced table or column.
    public static let missingTable = Code(.missingTable)
    /// The file was prepared by a newer version of the library.
    public static let newerLayout = Code(.newerLayout)
    /// The file or the connection has not been prepared for syncing.
    public static let notInstalled = Code(.notInstalled)
    /// A later change builds on the change to cancel.
    public static let dependency = Code(.dependency)
    /// The library's data in the file is damaged.
    public static let damaged = Code(.damaged)
    /// The account may not change rows of a scope.
    public static let forbidden = Code(.forbidden)
    /// The file belongs to another account.
    public static let otherAccount = Code(.otherAccount)
    /// The scope would have no owner.
    public static let lastOwner = Code(.lastOwner)
    /// The id of an inserted row is one that no server accepts.
    public static let invalidID = Code(.invalidID)

    /// The server has a row that was to be edited before it is sent, or may have it.
    public static let alreadySent = Code(.alreadySent)
    /// A row has values that cannot be sent.
    public static let invalidValue = Code(.invalidValue)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }
}
