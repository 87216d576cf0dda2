extension AppError {
  /// A sentence for the user about the failure.
  public var localizedMessage: LocalizedText { localizedMessage(naming: .common) }

  /// Returns a sentence for the user about the failure.
  ///
  /// - Parameter fields: the labels of the fields that the error names.
  public func localizedMessage(naming fields: FieldNames) -> LocalizedText {
    switch self {
    case .network(let error): error.message
    case .auth(let error): error.message
    case .content(let error): error.message
    case .sync(let error): error.message
    case .validation(let error): error.message(fields)
    case .database(let error): error.message
    case .unknown: LocalizedText(en: "Something went wrong.", ru: "Что-то пошло не так.")
    }
  }
}

// Each family has a `switch`, so that a new case does not compile without its sentence.

extension NetworkError {
  fileprivate var message: LocalizedText {
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
}

extension AuthError {
  fileprivate var message: LocalizedText {
    switch self {
    case .notSignedIn: LocalizedText(en: "You are not signed in.", ru: "Вы не вошли.")
    case .invalidCredentials:
      LocalizedText(en: "Name and password do not match.", ru: "Неверное имя или пароль.")
    case .expired: LocalizedText(en: "Your sign-in has expired.", ru: "Срок вашего входа истёк.")
    case .forbidden:
      LocalizedText(en: "You are not allowed to do this.", ru: "Вам это не разрешено.")
    case .signUpClosed:
      LocalizedText(
        en: "This server makes no accounts by itself.",
        ru: "Этот сервер сам не создаёт учётных записей.")
    case .nameTaken:
      LocalizedText(en: "There is an account with this name.", ru: "Такая учётная запись уже есть.")
    case .otherAccount(let name):
      LocalizedText(
        en: "What is on this device belongs to the account “\(name)”.",
        ru: "Данные на этом устройстве принадлежат учётной записи «\(name)».")
    case .invalidInvitation:
      LocalizedText(
        en: "This invitation was used, has expired, or is not complete.",
        ru: "Это приглашение уже использовано, истекло или введено не полностью.")
    case .lastOwner:
      LocalizedText(
        en: "No other member could invite people then.",
        ru: "Не останется никого, кто может приглашать других.")
    }
  }
}

extension ContentError {
  fileprivate var message: LocalizedText {
    switch self {
    case .notFound:
      LocalizedText(
        en: "This does not exist, or not any more.", ru: "Этого нет или больше нет.")
    case .unreadable:
      LocalizedText(en: "This cannot be read.", ru: "Это не удаётся прочитать.")
    case .tooLarge: LocalizedText(en: "This is too large.", ru: "Это слишком большое.")
    case .limitReached:
      LocalizedText(
        en: "There are as many as the server allows.", ru: "Больше сервер не разрешает.")
    }
  }
}

extension SyncError {
  fileprivate var message: LocalizedText {
    switch self {
    case .conflict:
      LocalizedText(
        en: "This was changed elsewhere meanwhile.",
        ru: "Тем временем это изменили в другом месте.")
    case .rejected(let reason):
      LocalizedText(
        en: "The server did not accept a change: \(reason)",
        ru: "Сервер не принял изменение: \(reason)")
    case .tooOld:
      LocalizedText(
        en: "This version of the app is too old to sync.",
        ru: "Эта версия приложения слишком старая для синхронизации.")
    case .paused: LocalizedText(en: "Syncing is paused.", ru: "Синхронизация приостановлена.")
    }
  }
}

extension ValidationError {
  fileprivate func message(_ fields: FieldNames) -> LocalizedText {
    switch self {
    case .emptyName: LocalizedText(en: "Enter a name.", ru: "Введите название.")
    case .invalidDateRange:
      LocalizedText(en: "The end lies before the start.", ru: "Окончание раньше начала.")
    case .missingRequiredFields:
      LocalizedText(
        en: "Some required fields are empty.", ru: "Не все обязательные поля заполнены.")
    case .tooShort(let field, let minimum): .tooShort(fields[field], minimum)
    case .tooLong(let field, let maximum): .tooLong(fields[field], maximum)
    case .wrongLength(let field, let range): .wrongLength(fields[field], range)
    case .outOfRange(let field): .outOfRange(fields[field])
    }
  }
}

extension DatabaseFailure {
  fileprivate var message: LocalizedText {
    switch self {
    case .readFailed:
      LocalizedText(en: "Your data could not be read.", ru: "Не удалось прочитать ваши данные.")
    case .writeFailed:
      LocalizedText(
        en: "Your change could not be saved.", ru: "Не удалось сохранить ваше изменение.")
    case .refused:
      LocalizedText(
        en: "Your change was not saved, because one of its values is not allowed.",
        ru: "Изменение не сохранено: одно из значений недопустимо.")
    case .migrationFailed:
      LocalizedText(
        en: "Your data could not be prepared for this version of the app.",
        ru: "Не удалось подготовить ваши данные для этой версии приложения.")
    case .newerVersion:
      LocalizedText(
        en: "Your data was saved by a newer version of the app.",
        ru: "Ваши данные сохранены более новой версией приложения.")
    case .corrupted:
      LocalizedText(en: "Some of your data is damaged.", ru: "Часть ваших данных повреждена.")
    case .unreadable:
      LocalizedText(en: "This entry cannot be read.", ru: "Эту запись не удаётся прочитать.")
    case .notFound:
      LocalizedText(
        en: "This does not exist on this device, or not any more.",
        ru: "Этого здесь нет или оно удалено.")
    case .full:
      LocalizedText(
        en: "The disk is full, so your change was not saved.",
        ru: "Диск заполнен, поэтому изменение не сохранено.")
    case .busy:
      LocalizedText(
        en: "Your data is in use by another program.", ru: "Ваши данные заняты другой программой.")
    }
  }
}

// MARK: - Sentences about fields

extension LocalizedText {
  fileprivate static func tooShort(_ field: LocalizedText, _ minimum: Int) -> LocalizedText {
    .counted(
      minimum,
      en: .init(
        one: "\(field) needs at least # character.",
        other: "\(field) needs at least # characters."),
      ru: .init(
        one: "\(field): минимум # символ.", few: "\(field): минимум # символа.",
        many: "\(field): минимум # символов."))
  }

  fileprivate static func tooLong(_ field: LocalizedText, _ maximum: Int) -> LocalizedText {
    .counted(
      maximum,
      en: .init(
        one: "\(field) may have at most # character.",
        other: "\(field) may have at most # characters."),
      ru: .init(
        one: "\(field): максимум # символ.", few: "\(field): максимум # символа.",
        many: "\(field): максимум # символов."))
  }

  fileprivate static func wrongLength(
    _ field: LocalizedText, _ range: ClosedRange<Int>
  ) -> LocalizedText {
    let (least, most) = (range.lowerBound, range.upperBound)
    return LocalizedText(
      en: "\(field) needs \(least) to \(most) characters.",
      ru: "\(field): от \(least) до \(most) символов.")
  }

  /// NB: No verb follows the label, because it may be a plural.
  fileprivate static func outOfRange(_ field: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: "\(field): this is not in the possible range.",
      ru: "\(field): значение вне допустимых пределов.")
  }
}
