public import Offshore
public import OffshoreFiles
public import OffshoreImages
public import OffshoreLogging
public import OffshoreSync

/// A module's error that has an equivalent ``AppError``.
public protocol AppErrorConvertible: Error {
  /// The equivalent error for a screen.
  var asAppError: AppError { get }
}

extension Error {
  /// The equivalent error for a screen.
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
  /// Creates the error of a failed save. A failure to read counts as a failure to write.
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

  /// The names of table and column, or the error code if both are missing.
  private var place: String {
    let names = [table, column].compactMap(\.self)
    return names.isEmpty ? "\(code)" : names.joined(separator: ".")
  }
}

extension FileError: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .corrupted: .database(.fileDamaged(name: name, hasCopy: lastGoodCopy != nil))
    case .newerVersion: .database(.newerVersion)
    case .upgradeFailed: .database(.migrationFailed)
    case .tooLarge: .content(.tooLarge)
    case .invalidValue, .duplicateID: .database(.refused(detail: name))
    case .diskFull: .database(.full)
    case .busy: .database(.busy)
    case .noCopy: .database(.notFound)
    case .notABackup: .content(.notABackup)
    case .newerBackup: .content(.newerBackup)
    case .readOnly, .targetNotEmpty, .unproven, .misuse: .database(.writeFailed)
    default: .database(.readFailed)
    }
  }

  /// The name of the file, or the error code if it is not known.
  private var name: String { file ?? "\(code)" }
}

extension FileError: LoggableError {
  public var logCode: String { "\(code)" }
}

/// The stored elements are not those that the edits found.
extension RefusedEdits: AppErrorConvertible {
  public var asAppError: AppError { .sync(.conflict) }
}

extension RefusedEdits: LoggableError {
  public var logCode: String { "refusedEdits" }
}

extension StoredPlace {
  /// Creates the place of an unreadable row.
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

extension ServerClient.Failure: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .unreachable: .network(.offline)
    case .timedOut: .network(.timedOut)
    case .cancelled: .network(.cancelled)
    case .tooManyRequests: .network(.rateLimited(retryAfter: retryAfter.map { Int(clamping: $0) }))
    case .wrongPassword: .auth(.invalidCredentials)
    case .unauthorized: .auth(.expired)
    case .taken: .auth(.nameTaken)
    case .deleted: .auth(.deleted)
    case .invalidName: .validation(.outOfRange(field: "accountName"))
    case .weakPassword:
      .validation(.wrongLength(field: "password", range: AccountClient.passwordLength))
    case .invalidInvitation: .auth(.invalidInvitation)
    case .lastOwner: .auth(.lastOwner)
    case .scopeFull: .auth(.scopeFull)
    case .accountFull: .auth(.accountFull)
    case .forbidden: .auth(.forbidden)
    case .disabled: .auth(.disabled)
    case .signUpClosed: .auth(.signUpClosed)
    case .limitReached: .content(.limitReached)
    case .notFound, .gone: .content(.notFound)
    case .exists, .preconditionFailed: .sync(.conflict)
    case .tooLarge: .content(.tooLarge)
    case .keyReused, .unknownTable, .unknownColumn, .invalidValue, .invalidOp, .wrongScope,
      .missingReference, .dependency:
      .sync(.rejected(reason: message))
    case .malformed: .content(.unreadable)
    case .unavailable: .network(.server(statusCode: status ?? 503))
    default: .network(.server(statusCode: status ?? 500))
    }
  }
}

extension SyncEngine.Failure: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .unreachable: .network(.offline)
    case .timedOut: .network(.timedOut)
    case .cancelled: .network(.cancelled)
    case .unauthorized: .auth(.expired)
    case .upgradeRequired: .sync(.tooOld)
    case .storage: .database(.writeFailed)
    default: .network(.server(statusCode: status ?? 500))
    }
  }
}

extension SyncEngine.Failure: LoggableError {
  public var logCode: String { "\(code)" }
}

extension ReplicaError: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .forbidden: .auth(.forbidden)
    case .lastOwner: .auth(.lastOwner)
    case .alreadySent: .sync(.alreadySent)
    case .declaration, .missingTable: .database(.migrationFailed)
    case .newerLayout: .database(.newerVersion)
    case .damaged, .notInstalled: .database(.corrupted(detail: "\(code)"))
    default: .database(.writeFailed)
    }
  }
}

extension ImageError: AppErrorConvertible {
  public var asAppError: AppError {
    switch code {
    case .wrongType: .content(.wrongImageType)
    case .tooLarge, .tooManyPixels: .content(.imageTooLarge)
    case .damaged: .content(.imageDamaged)
    case .unavailable: .content(.imagesUnavailable)
    default: .content(.imageFailed)
    }
  }
}

extension ImageError: LoggableError {
  public var logCode: String { "\(code)" }
}
