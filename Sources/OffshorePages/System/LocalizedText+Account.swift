package import OffshorePresentation

// The texts of the page of the account.

extension LocalizedText {
  package static let account = LocalizedText(en: "Account", ru: "Учётная запись")
  static let accountInvitation = LocalizedText(
    en: "Sign in, or make an account", ru: "Войти или создать учётную запись")

  static func signedInAs(_ name: String) -> LocalizedText {
    LocalizedText(en: "Signed in as \(name)", ru: "Вы вошли как \(name)")
  }

  static func signedOutOf(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "Signed out. The data on this device belongs to \(name).",
      ru: "Вы вышли. Данные здесь принадлежат \(name).")
  }

  // MARK: - Without a server

  static let noServer = LocalizedText(en: "No server is named", ru: "Сервер не указан")
  static let howToNameOne = LocalizedText(en: "How to name one", ru: "Как его указать")
  static let noServerExplained = LocalizedText(
    en: "Everything works on this device alone. To sync with others, start the app with:",
    ru: "Всё работает и на одном этом устройстве. Для синхронизации запустите приложение так:")

  // MARK: - Signing in and up

  static let signIn = LocalizedText(en: "Sign in", ru: "Войти")
  static let newAccount = LocalizedText(en: "New account", ru: "Новая запись")
  static let createAccount = LocalizedText(en: "Create account", ru: "Создать учётную запись")
  static let accountName = LocalizedText(en: "Account name", ru: "Имя учётной записи")
  static let accountNameHint = LocalizedText(
    en: "3 to 64 letters and digits; . _ - + @ may stand between them.",
    ru: "От 3 до 64 латинских букв и цифр, а также . _ - + @.")
  static let password = LocalizedText(en: "Password", ru: "Пароль")
  static let passwordHint = LocalizedText(
    en: "\(AccountModel.passwordLength.lowerBound) characters or more.",
    ru: "Не меньше \(AccountModel.passwordLength.lowerBound) символов.")
  static let signInExplained = LocalizedText(
    en: "The data on this device goes to the account, and comes to your other devices.",
    ru: "Всё с этого устройства перейдёт в учётную запись и появится на других ваших устройствах.")
  static let nameImpossible = LocalizedText(
    en: "An account cannot have this name.", ru: "Такого имени у учётной записи быть не может.")

  static func belongsTo(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "The data on this device belongs to \(name). Sign in to sync it, or go on without.",
      ru:
        "Данные на этом устройстве принадлежат \(name). Войдите для синхронизации или продолжайте "
        + "без неё.")
  }

  static func signedInTo(_ server: String) -> LocalizedText {
    LocalizedText(
      en: "This device is signed in to \(server), and the app was started with another server.",
      ru: "Это устройство вошло на \(server), а приложение запущено с другим сервером.")
  }

  static func expiredFor(_ name: String) -> LocalizedText {
    LocalizedText(
      en:
        "The server does not know this device any more. Sign in again as \(name); nothing is lost.",
      ru: "Сервер больше не узнаёт это устройство. Войдите снова как \(name): ничего не потеряно.")
  }

  static let accountIsMissing = LocalizedText(
    en: "Does the server lack the account since it was restored?",
    ru: "После восстановления сервера учётной записи на нём нет?")

  static func createAgainExplained(_ name: String) -> LocalizedText {
    LocalizedText(
      en:
        "If the server was restored from an older copy, it may lack the account \(name). Create it "
        + "again, and the data on this device is sent to it.",
      ru:
        "Если сервер восстановлен из старой копии, на нём может не быть учётной записи \(name). "
        + "Создайте её снова, и данные с этого устройства будут отправлены туда.")
  }

  static let continueHere = LocalizedText(
    en: "Continue on this device", ru: "Продолжить на этом устройстве")

  // MARK: - Signed in

  static let signedIn = LocalizedText(en: "Signed in", ru: "Вход выполнен")
  static let signOut = LocalizedText(en: "Sign out", ru: "Выйти")
  static let signOutExplained = LocalizedText(
    en: "The data on this device stays, and is not synced until you sign in again.",
    ru:
      "Данные на этом устройстве останутся и не будут синхронизироваться, пока вы не войдёте снова."
  )

  // MARK: - Devices

  static let signedInDevices = LocalizedText(
    en: "Signed-in devices", ru: "Устройства, на которых выполнен вход")
  static let thisDevice = LocalizedText(en: "This device", ru: "Это устройство")
  static let unnamedDevice = LocalizedText(
    en: "Device without a name", ru: "Устройство без названия")

  static func signedInSince(_ date: String) -> LocalizedText {
    LocalizedText(en: "Signed in since \(date)", ru: "Вход выполнен \(date)")
  }

  // MARK: - Password

  static let changePassword = LocalizedText(en: "Change password", ru: "Сменить пароль")
  static let currentPassword = LocalizedText(en: "Current password", ru: "Текущий пароль")
  static let newPassword = LocalizedText(en: "New password", ru: "Новый пароль")
  static let passwordChanged = LocalizedText(
    en: "The password is changed. Your other devices are signed out.",
    ru: "Пароль изменён. На других устройствах нужно войти снова.")

  // MARK: - Deleting

  static let deleteAccount = LocalizedText(en: "Delete account", ru: "Удалить учётную запись")
  static let deletionExplained = LocalizedText(
    en: """
      The server deletes the account with its name and password, and everything that belongs to \
      you alone. All of your devices are signed out. This cannot be undone.
      """,
    ru: """
      Сервер удалит учётную запись с именем и паролем и всё, что принадлежит только вам. На всех \
      ваших устройствах будет выполнен выход. Отменить это нельзя.
      """)
  static let sharedStays = LocalizedText(
    en: """
      Whatever you share stays with the other members, and so does your part of it. If you are its \
      last owner, the editor who joined first becomes the owner. If the others may only look, it is \
      deleted, too.
      """,
    ru: """
      Общее остаётся у других участников, в том числе написанное вами. Если вы последний владелец, \
      владельцем станет редактор, который присоединился первым. Если остальные только смотрят, \
      общее тоже удаляется.
      """)
  static let dataStaysHere = LocalizedText(
    en: "The data on this device stays here, and is not synced any more.",
    ru: "Данные на этом устройстве останутся здесь и больше не будут синхронизироваться.")
  static let confirmationMissing = LocalizedText(
    en: "Tick this to delete the account.", ru: "Отметьте это, чтобы удалить учётную запись.")

  static func deleteForGood(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "Delete the account \(name) for good", ru: "Удалить учётную запись \(name) навсегда")
  }

  // MARK: - Erasing

  static let eraseDevice = LocalizedText(
    en: "Erase and sign out", ru: "Стереть данные и выйти")
  static let erasureExplained = LocalizedText(
    en: """
      Everything that this app has on this device is removed, and the device is signed out. Your \
      account and your other devices stay as they are. Afterwards, another person can sign in here.
      """,
    ru: """
      Все данные этого приложения на этом устройстве будут удалены, и будет выполнен выход. Учётная \
      запись и другие ваши устройства не изменятся. После этого здесь может войти другой человек.
      """)

  static func unsentAreLost(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# change has not been sent, and is lost.",
        other: "# changes have not been sent, and are lost."),
      ru: .init(
        one: "# изменение не отправлено и будет потеряно.",
        few: "# изменения не отправлены и будут потеряны.",
        many: "# изменений не отправлено и будет потеряно."))
  }

  static func unsentStay(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# change has not been sent. It waits on this device until you sign in again.",
        other: "# changes have not been sent. They wait on this device until you sign in again."),
      ru: .init(
        one: "# изменение не отправлено. Оно ждёт здесь до следующего входа.",
        few: "# изменения не отправлены. Они ждут здесь до следующего входа.",
        many: "# изменений не отправлено. Они ждут здесь до следующего входа."))
  }

  static let signOutUnsent = LocalizedText(
    en: "Sign out without sending", ru: "Выйти, не отправляя")
  static let signOutConfirmationMissing = LocalizedText(
    en: "Tick this to sign out.", ru: "Отметьте это, чтобы выйти.")

  static func eraseAllOf(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "Remove all data of \(name) from this device",
      ru: "Удалить с этого устройства все данные \(name)")
  }

  static let erasureConfirmationMissing = LocalizedText(
    en: "Tick this to erase the data.", ru: "Отметьте это, чтобы стереть данные.")
  static let deviceErased = LocalizedText(
    en: "Everything was removed from this device.", ru: "С этого устройства всё удалено.")

  // MARK: - After the deletion

  static func accountDeleted(_ name: String) -> LocalizedText {
    LocalizedText(en: "The account \(name) is deleted.", ru: "Учётная запись \(name) удалена.")
  }
}

extension AccountModel {
  /// Returns the message about the error of a field.
  func message(_ field: Field, _ say: Localizer) -> String? {
    errors[field].map { error in
      if case .validation(.outOfRange) = error { return say(.nameImpossible) }
      return say(error.localizedMessage)
    }
  }
}
