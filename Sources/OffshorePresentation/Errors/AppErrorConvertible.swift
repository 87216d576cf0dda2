public import Offshore
public import OffshoreLogging

/// An error of a module that knows what it means to who uses an app.
public protocol AppErrorConvertible: Error {
  /// The error as a screen shows it.
  var asAppError: AppError { get }
}

extension Error {
  /// The error as a screen shows it.
  public var asAppError: AppError {
    switch self {
    case let error as AppError: error
    case let error as any AppErrorConvertible: error.asAppError
    case let error as NetworkError: .network(error)
    case let error as AuthError: .auth(error)
    case let error as ContentError: .content(error)
    case let error as SyncError: .sync(error)
    case let error as ValidationError: .validation(error)
    case let error as DatabaseFailure: .database(error)
    default: .unknown(underlying: self)
    }
  }
}

extension AppError {
  /// The error of something that was to be saved.
  package init(saving error: any Error) {
    let error = error.asAppError
    self = error == .database(.readFailed) ? .database(.writeFailed) : error
  }
}

extension DatabaseError: AppErrorConvertible {
  public var asAppError: AppError {
    if isMissingRow { return .database(.notFound) }
    if refusesValue { return .database(.refused(detail: constraint ?? place)) }
    return switch code {
    case .invalidValue where isUnreadableRow: .database(.unreadable(StoredPlace(self)))
    case .corrupted, .notADatabase, .invalidValue: .database(.corrupted(detail: place))
    case .migrationFailed, .declaration: .database(.migrationFailed)
    case .newerVersion: .database(.newerVersion)
    case .diskFull: .database(.full)
    case .busy: .database(.busy)
    case .readOnly, .constraint, .transaction: .database(.writeFailed)
    default: .database(.readFailed)
    }
  }

  /// Table and column, or the kind of failure if there are none.
  private var place: String {
    let names = [table, column].compactMap(\.self)
    return names.isEmpty ? "\(code)" : names.joined(separator: ".")
  }
}

extension StoredPlace {
  /// The place of a row that cannot be read.
  init(_ error: DatabaseError) {
    self.init(
      table: error.table, column: error.column ?? "?",
      row: error.rowKey.map(\.plainText).joined(separator: " "))
  }
}

extension DatabaseError: LoggableError {
  public var logCode: String { "\(code)" }
}

extension AppError: LoggableError {
  public var logCode: String { id }
}
