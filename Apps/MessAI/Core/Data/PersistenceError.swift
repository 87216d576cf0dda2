import Offshore
public import OffshoreLogging
public import OffshorePresentation
import OffshoreSync

/// The error of an operation of ``LocalDataManager``.
public enum PersistenceError: Error, Sendable {
  /// The message does not exist, or was deleted.
  case messageNotFound
  /// The conversation does not exist, or was deleted.
  case conversationNotFound
  /// Nothing was saved, for the reason of the cause.
  case saveFailed(any Error)
  /// Nothing could be read, for the reason of the cause.
  case fetchFailed(any Error)
  /// Nothing was deleted, for the reason of the cause.
  case deleteFailed(any Error)
}

extension PersistenceError {
  /// The underlying error, or `nil`.
  public var cause: (any Error)? {
    switch self {
    case .messageNotFound, .conversationNotFound: nil
    case .saveFailed(let cause), .fetchFailed(let cause), .deleteFailed(let cause): cause
    }
  }

  /// A sentence for the user about the failure.
  public var localizedMessage: LocalizedText {
    switch self {
    case .messageNotFound:
      LocalizedText(en: "The message was deleted.", ru: "Сообщение удалено.")
    case .conversationNotFound:
      LocalizedText(en: "The conversation was deleted.", ru: "Беседа удалена.")
    case .saveFailed:
      LocalizedText(en: "Nothing was saved.", ru: "Ничего не сохранено.")
    case .fetchFailed:
      LocalizedText(en: "The messages cannot be read.", ru: "Не удаётся прочитать сообщения.")
    case .deleteFailed:
      LocalizedText(en: "Nothing was deleted.", ru: "Ничего не удалено.")
    }
  }
}

extension PersistenceError {
  /// Returns the sentences for the user about any failure of an operation: those of this error, if it is one, and
  /// of its cause, as far as they say more.
  /// - Parameter fields: the labels of the fields that the error names.
  package static func sentences(
    of error: any Error, naming fields: FieldNames = .common
  ) -> [LocalizedText] {
    guard let error = error as? PersistenceError else {
      return [error.asAppError.localizedMessage(naming: fields)]
    }
    guard let cause = error.cause else { return [error.localizedMessage] }
    if (cause as? ReplicaError)?.code == .alreadySent {
      return [error.localizedMessage, .mayHaveLeft]
    }
    let reason = cause.asAppError
    switch reason {
    case .validation: return [reason.localizedMessage(naming: fields)]
    case .database(.readFailed), .database(.writeFailed), .unknown:
      return [error.localizedMessage, reason.recoverySuggestion].compactMap(\.self)
    default:
      return [error.localizedMessage, reason.localizedMessage, reason.recoverySuggestion]
        .compactMap(\.self)
    }
  }
}

extension LocalizedText {
  fileprivate static let mayHaveLeft = LocalizedText(
    en: "The message may have left this device already. You can delete it for all members.",
    ru: "Возможно, сообщение уже отправлено. Его можно удалить у всех участников.")
}

extension PersistenceError: Equatable {
  /// Returns whether two errors have the same case. Their causes are ignored.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.logCode == rhs.logCode }

  /// Returns whether an error equals the pattern, as in `catch PersistenceError.messageNotFound`.
  public static func ~= (pattern: Self, error: any Error) -> Bool { (error as? Self) == pattern }
}

extension PersistenceError: LoggableError {
  public var logCode: String {
    switch self {
    case .messageNotFound: "messageNotFound"
    case .conversationNotFound: "conversationNotFound"
    case .saveFailed: "saveFailed"
    case .fetchFailed: "fetchFailed"
    case .deleteFailed: "deleteFailed"
    }
  }
}

extension PersistenceError: AppErrorConvertible {
  public var asAppError: AppError {
    switch self {
    case .messageNotFound, .conversationNotFound: .database(.notFound)
    case .fetchFailed(let cause): cause.asAppError
    case .saveFailed(let cause), .deleteFailed(let cause): AppError(saving: cause)
    }
  }
}

extension Message.Problem: AppErrorConvertible {
  public var asAppError: AppError {
    switch self {
    case .invalidID: .validation(.outOfRange(field: "id"))
    case .empty: .validation(.missingRequiredFields)
    case .tooLong: .validation(.tooLong(field: "text", maximum: Message.textLimit))
    case .nameTooLong: .validation(.tooLong(field: "name", maximum: Conversation.nameLimit))
    case .invalidImage: .content(.unreadable)
    }
  }
}
