public import OffshoreLogging

/// Why a device cannot capture, seal or accept a change.
///
/// ``description`` names tables, columns and remedies but never a value of a row, so it is safe to
/// show and to log.
public struct SyncError: Error, Hashable, Sendable {
  /// The kind of failure.
  public let code: Code
  /// What is wrong and what to do, in a sentence or two without any value of a row.
  public let message: String

  /// Creates an error of a kind with a message that says what to do.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension SyncError: CustomStringConvertible {
  public var description: String { "\(code): \(message)" }
}

extension SyncError: LoggableError {
  public var logCode: String { "\(code)" }
}

extension SyncError {
  /// A kind of failure. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case declaration, missingTable, newerLayout, notInstalled, dependency, damaged
      case forbidden, otherAccount
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// What is declared as synced contradicts the tables, or itself.
    public static let declaration = Code(.declaration)
    /// A synced table or column is not in the file.
    public static let missingTable = Code(.missingTable)
    /// The file was written by a newer version of the library.
    public static let newerLayout = Code(.newerLayout)
    /// The file has not been prepared for syncing, or not by this schema.
    public static let notInstalled = Code(.notInstalled)
    /// A later change builds on the one that is to be cancelled.
    public static let dependency = Code(.dependency)
    /// What the library keeps in the file is not what it wrote.
    public static let damaged = Code(.damaged)
    /// The account may not change rows of a scope.
    public static let forbidden = Code(.forbidden)
    /// The file belongs to another account.
    public static let otherAccount = Code(.otherAccount)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }
}
