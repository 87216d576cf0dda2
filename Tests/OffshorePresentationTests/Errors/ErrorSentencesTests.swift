import Testing

@testable import OffshorePresentation

private struct Strange: Error {}

struct ErrorSentencesTests {
  /// Every case with its sentence in both languages.
  private static let messages: [(AppError, String, String)] = [
    (.network(.offline), "There is no connection.", "Нет соединения."),
    (
      .network(.timedOut), "The server did not answer in time.", "Сервер не ответил вовремя."
    ),
    (
      .network(.server(statusCode: 1503)), "The server answered with error 1503.",
      "Сервер ответил ошибкой 1503."
    ),
    (
      .network(.rateLimited(retryAfter: 5)), "The server was asked too often.",
      "Серверу пришло слишком много запросов."
    ),
    (.network(.cancelled), "The request was cancelled.", "Запрос отменён."),
    (.auth(.notSignedIn), "You are not signed in.", "Вы не вошли."),
    (
      .auth(.invalidCredentials), "Name and password do not match.", "Неверное имя или пароль."
    ),
    (.auth(.expired), "Your sign-in has expired.", "Срок вашего входа истёк."),
    (.auth(.forbidden), "You are not allowed to do this.", "Вам это не разрешено."),
    (.auth(.disabled), "This account is disabled.", "Эта учётная запись отключена."),
    (.auth(.deleted), "This account was deleted.", "Эта учётная запись удалена."),
    (
      .auth(.signUpClosed), "This server makes no accounts by itself.",
      "Этот сервер сам не создаёт учётных записей."
    ),
    (
      .content(.notFound), "This does not exist, or not any more.", "Этого нет или больше нет."
    ),
    (.content(.unreadable), "This cannot be read.", "Это не удаётся прочитать."),
    (.content(.tooLarge), "This is too large.", "Это слишком большое."),
    (
      .content(.limitReached), "There are as many as the server allows.",
      "Больше сервер не разрешает."
    ),
    (
      .content(.wrongImageType), "Only images of the types PNG, JPEG and WebP can be used.",
      "Можно использовать только изображения форматов PNG, JPEG и WebP."
    ),
    (
      .content(.notABackup), "This is not a backup of this app, or it is damaged.",
      "Это не резервная копия этого приложения, или она повреждена."
    ),
    (
      .content(.newerBackup), "A newer version of the app has made this backup.",
      "Эту резервную копию сделала более новая версия приложения."
    ),
    (
      .content(.imageTooLarge), "This image is too large.", "Это изображение слишком большое."
    ),
    (
      .content(.imageDamaged), "This image is damaged or incomplete.",
      "Это изображение повреждено или неполное."
    ),
    (
      .content(.imageFailed), "This image could not be scaled.",
      "Не удалось изменить размер этого изображения."
    ),
    (
      .content(.imagesUnavailable), "Images cannot be scaled on this device.",
      "На этом устройстве нельзя изменять размер изображений."
    ),
    (
      .sync(.conflict), "This was changed elsewhere meanwhile.",
      "Тем временем это изменили в другом месте."
    ),
    (
      .sync(.rejected(reason: "No.")), "The server did not accept a change: No.",
      "Сервер не принял изменение: No."
    ),
    (
      .sync(.tooOld), "This version of the app is too old to sync.",
      "Эта версия приложения слишком старая для синхронизации."
    ),
    (.sync(.paused), "Syncing is paused.", "Синхронизация приостановлена."),
    (.validation(.emptyName), "Enter a name.", "Введите название."),
    (
      .validation(.invalidDateRange), "The end lies before the start.",
      "Окончание раньше начала."
    ),
    (
      .validation(.missingRequiredFields), "Some required fields are empty.",
      "Не все обязательные поля заполнены."
    ),
    (
      .validation(.tooShort(field: "name", minimum: 1)), "Name needs at least 1 character.",
      "Название: минимум 1 символ."
    ),
    (
      .validation(.tooLong(field: "title", maximum: 80)),
      "Title may have at most 80 characters.", "Заголовок: максимум 80 символов."
    ),
    (
      .validation(.wrongLength(field: "title", range: 8...256)),
      "Title needs 8 to 256 characters.", "Заголовок: от 8 до 256 символов."
    ),
    (
      .validation(.outOfRange(field: "guests")), "Guests: this is not in the possible range.",
      "Гости: значение вне допустимых пределов."
    ),
    (
      .database(.readFailed), "Your data could not be read.",
      "Не удалось прочитать ваши данные."
    ),
    (
      .database(.writeFailed), "Your change could not be saved.",
      "Не удалось сохранить ваше изменение."
    ),
    (
      .database(.refused(detail: "charters.guests")),
      "Your change was not saved, because one of its values is not allowed.",
      "Изменение не сохранено: одно из значений недопустимо."
    ),
    (
      .database(.migrationFailed), "Your data could not be prepared for this version of the app.",
      "Не удалось подготовить ваши данные для этой версии приложения."
    ),
    (
      .database(.newerVersion), "Your data was saved by a newer version of the app.",
      "Ваши данные сохранены более новой версией приложения."
    ),
    (
      .database(.corrupted(detail: "notADatabase")), "Some of your data is damaged.",
      "Часть ваших данных повреждена."
    ),
    (
      .database(.fileDamaged(name: "charters.json", hasCopy: true)),
      "The file “charters.json” is damaged. It was not overwritten.",
      "Файл «charters.json» повреждён. Он не перезаписан."
    ),
    (
      .database(.unreadable(.init(table: "charters", column: "crew", row: "1"))),
      "This entry cannot be read.", "Эту запись не удаётся прочитать."
    ),
    (
      .database(.notFound), "This does not exist on this device, or not any more.",
      "Этого здесь нет или оно удалено."
    ),
    (
      .database(.full), "The disk is full, so your change was not saved.",
      "Диск заполнен, поэтому изменение не сохранено."
    ),
    (
      .database(.busy), "Your data is in use by another program.",
      "Ваши данные заняты другой программой."
    ),
    (.unknown(underlying: Strange()), "Something went wrong.", "Что-то пошло не так."),
  ]

  @Test func `Every case has its own sentence in both languages`() {
    for (error, english, russian) in Self.messages {
      #expect(error.localizedMessage == LocalizedText(en: "\(english)", ru: "\(russian)"))
    }
    #expect(Set(Self.messages.map(\.1)).count == Self.messages.count)
    #expect(Set(Self.messages.map(\.2)).count == Self.messages.count)
  }

  @Test func `Every error has a suggestion, unless the message contains it`() {
    for (error, message, _) in Self.messages {
      let says = error.id.hasPrefix("validation.") || error == .network(.cancelled)
      #expect((error.recoverySuggestion == nil) == says, "\(message)")
      guard let suggestion = error.recoverySuggestion else { continue }
      // A command is the same in all languages.
      let russian = suggestion.in(.russian).replacing(/«[a-z ]+»/, with: "")
      #expect(russian.unicodeScalars.allSatisfy { !isLatin($0) })
      #expect(suggestion.in(.english).unicodeScalars.contains(where: isLatin))
    }
  }

  private func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.properties.isAlphabetic
  }

  @Test func `A pause is stated in seconds`() {
    let texts = [1, 2, 5, 21].map {
      AppError.network(.rateLimited(retryAfter: $0)).recoverySuggestion
    }
    #expect(
      texts.map { $0?.in(.english) } == [
        "Try again in 1 second.", "Try again in 2 seconds.", "Try again in 5 seconds.",
        "Try again in 21 seconds.",
      ])
    #expect(
      texts.map { $0?.in(.russian) } == [
        "Попробуйте ещё раз через 1 секунду.", "Попробуйте ещё раз через 2 секунды.",
        "Попробуйте ещё раз через 5 секунд.", "Попробуйте ещё раз через 21 секунду.",
      ])
    #expect(
      AppError.network(.rateLimited(retryAfter: nil)).recoverySuggestion?.in(.english)
        == "Try again in a moment.")
  }

  @Test func `A long pause is stated in minutes, rounded up`() {
    let texts = [90, 91, 121, 3_600].map {
      AppError.network(.rateLimited(retryAfter: $0)).recoverySuggestion
    }
    #expect(
      texts.map { $0?.in(.english) } == [
        "Try again in 90 seconds.", "Try again in 2 minutes.", "Try again in 3 minutes.",
        "Try again in 60 minutes.",
      ])
    #expect(texts.map { $0?.in(.russian) }[1] == "Попробуйте ещё раз через 2 минуты.")
  }

  @Test func `A limit has the plural form of its number`() {
    let texts = [1, 2, 5, 11, 21].map {
      AppError.validation(.tooLong(field: "note", maximum: $0)).localizedMessage
    }
    #expect(
      texts.map { $0.in(.russian) } == [
        "Заметка: максимум 1 символ.", "Заметка: максимум 2 символа.",
        "Заметка: максимум 5 символов.", "Заметка: максимум 11 символов.",
        "Заметка: максимум 21 символ.",
      ])
    let short = [2, 5].map {
      AppError.validation(.tooShort(field: "password", minimum: $0)).localizedMessage
    }
    #expect(
      short.map { $0.in(.russian) } == [
        "Пароль: минимум 2 символа.", "Пароль: минимум 5 символов.",
      ])
    #expect(short[0].in(.english) == "Password needs at least 2 characters.")
    #expect(
      AppError.validation(.tooLong(field: "note", maximum: 10_000)).localizedMessage.in(.english)
        == "Note may have at most 10,000 characters.")
  }

  // MARK: - Names of fields

  @Test func `Common fields have a label in both languages`() {
    let fields = [
      "name", "startDate", "endDate", "region", "vessel", "destination", "guests", "budget",
      "title", "body", "front", "back", "description", "note", "email", "password",
    ]
    for field in fields {
      let label = FieldNames.common[field]
      #expect(label.in(.russian).unicodeScalars.allSatisfy { !isLatin($0) }, "\(field)")
      #expect(label.in(.english).unicodeScalars.contains(where: isLatin), "\(field)")
    }
  }

  @Test func `The label of an unknown field is its name in words`() {
    #expect(FieldNames.common["boatName"] == LocalizedText(verbatim: "Boat name"))
    #expect(FieldNames.common[""] == LocalizedText(verbatim: ""))
    #expect(FieldNames([:])["name"] == LocalizedText(verbatim: "Name"))
  }

  @Test func `An app's own labels take precedence over the common ones`() {
    let fields = FieldNames.common.adding(["name": LocalizedText(en: "Your name", ru: "Имя")])
    let error = AppError.validation(.tooLong(field: "name", maximum: 3))
    #expect(error.localizedMessage(naming: fields).in(.russian) == "Имя: максимум 3 символа.")
    #expect(fields["note"] == FieldNames.common["note"])
  }
}
