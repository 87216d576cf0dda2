/// A failure of the connection to a server.
public enum NetworkError: Error, Equatable, Sendable {
  /// There is no connection.
  case offline
  /// The server did not answer in time.
  case timedOut
  /// The server answered with an error.
  case server(statusCode: Int)
  /// The server refuses further requests for a while: for this number of seconds, if it states one.
  case rateLimited(retryAfter: Int?)
  /// The request was cancelled.
  case cancelled
}

extension NetworkError {
  /// The name of the case, for ``AppError/id``.
  var name: String {
    switch self {
    case .offline: "offline"
    case .timedOut: "timedOut"
    case .server: "server"
    case .rateLimited: "rateLimited"
    case .cancelled: "cancelled"
    }
  }

  /// Whether the same request may succeed later. A server that failed may recover; a request that
  /// was refused (a status below 500) is refused again.
  var isRetryable: Bool {
    switch self {
    case .offline, .timedOut, .rateLimited: true
    case .server(let statusCode): statusCode >= 500
    case .cancelled: false
    }
  }

  /// A sentence for the user about the failure.
  var message: LocalizedText {
    switch self {
    case .offline: LocalizedText(en: "There is no connection.", ru: "Нет соединения.")
    case .timedOut:
      LocalizedText(en: "The server did not answer in time.", ru: "Сервер не ответил вовремя.")
    case .server(let statusCode):
      LocalizedText(
        en: "The server answered with error \(statusCode).",
        ru: "Сервер ответил ошибкой \(statusCode).")
    case .rateLimited:
      LocalizedText(
        en: "The server was asked too often.", ru: "Серверу пришло слишком много запросов.")
    case .cancelled: LocalizedText(en: "The request was cancelled.", ru: "Запрос отменён.")
    }
  }

  /// A sentence for the user about a remedy, or `nil`.
  var suggestion: LocalizedText? {
    switch self {
    case .offline:
      LocalizedText(
        en: "Your changes are kept on this device until there is one.",
        ru: "Ваши изменения хранятся на этом устройстве, пока оно не появится.")
    case .timedOut, .server, .rateLimited(nil): .tryAgainSoonHint
    case .rateLimited(let seconds?): .tryAgain(after: seconds)
    case .cancelled: nil
    }
  }
}

extension LocalizedText {
  /// Returns a suggestion with a waiting time, in minutes (rounded up) if it exceeds 90 seconds.
  fileprivate static func tryAgain(after seconds: Int) -> LocalizedText {
    guard seconds <= 90 else { return tryAgain(afterMinutes: (seconds - 1) / 60 + 1) }
    return .counted(
      seconds,
      en: .init(one: "Try again in # second.", other: "Try again in # seconds."),
      ru: .init(
        one: "Попробуйте ещё раз через # секунду.", few: "Попробуйте ещё раз через # секунды.",
        many: "Попробуйте ещё раз через # секунд."))
  }

  private static func tryAgain(afterMinutes minutes: Int) -> LocalizedText {
    .counted(
      minutes,
      en: .init(one: "Try again in # minute.", other: "Try again in # minutes."),
      ru: .init(
        one: "Попробуйте ещё раз через # минуту.", few: "Попробуйте ещё раз через # минуты.",
        many: "Попробуйте ещё раз через # минут."))
  }
}
