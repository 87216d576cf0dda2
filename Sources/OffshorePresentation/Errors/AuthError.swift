/// A failure of authentication or authorization.
public enum AuthError: Error, Equatable, Sendable {
  /// The device is not signed in.
  case notSignedIn
  /// The name or the password is wrong.
  case invalidCredentials
  /// The access token is not valid any more.
  case expired
  /// The account may not do this.
  case forbidden
  /// The operator of the server has disabled the account.
  case disabled
  /// The server does not accept sign-ups: its operator creates the accounts.
  case signUpClosed
  /// An account with the name exists already.
  case nameTaken
  /// The account to which the data on the device belongs was deleted.
  case deleted
  /// The data on the device belongs to another account, with this name.
  case otherAccount(String)
  /// The invitation was used, was withdrawn, has expired, or does not exist.
  case invalidInvitation
  /// The scope would have no owner left.
  case lastOwner
  /// The scope has as many members as its kind allows.
  case scopeFull
  /// The account has as many memberships in scopes of the kind as allowed.
  case accountFull
}

extension AuthError {
  /// The name of the case, for ``AppError/id``.
  var name: String {
    if case .otherAccount = self { "otherAccount" } else { "\(self)" }
  }

  /// A sentence for the user about the failure.
  var message: LocalizedText {
    switch self {
    case .notSignedIn: LocalizedText(en: "You are not signed in.", ru: "Вы не вошли.")
    case .invalidCredentials:
      LocalizedText(en: "Name and password do not match.", ru: "Неверное имя или пароль.")
    case .expired: LocalizedText(en: "Your sign-in has expired.", ru: "Срок вашего входа истёк.")
    case .forbidden:
      LocalizedText(en: "You are not allowed to do this.", ru: "Вам это не разрешено.")
    case .disabled:
      LocalizedText(en: "This account is disabled.", ru: "Эта учётная запись отключена.")
    case .signUpClosed:
      LocalizedText(
        en: "This server makes no accounts by itself.",
        ru: "Этот сервер сам не создаёт учётных записей.")
    case .nameTaken:
      LocalizedText(en: "There is an account with this name.", ru: "Такая учётная запись уже есть.")
    case .deleted:
      LocalizedText(en: "This account was deleted.", ru: "Эта учётная запись удалена.")
    case .otherAccount(let name):
      LocalizedText(
        en: "What is on this device belongs to the account “\(name)”.",
        ru: "Данные на этом устройстве принадлежат учётной записи «\(name)».")
    case .invalidInvitation:
      LocalizedText(
        en: "This invitation was used, was withdrawn, has expired, or is not complete.",
        ru: "Это приглашение уже использовано, отозвано, истекло или введено не полностью.")
    case .lastOwner:
      LocalizedText(
        en: "No other member could invite people then.",
        ru: "Не останется никого, кто может приглашать других.")
    case .scopeFull:
      LocalizedText(
        en: "There is no room for another member.", ru: "Больше участников быть не может.")
    case .accountFull:
      LocalizedText(
        en: "One account cannot take part in more of these.",
        ru: "Одна учётная запись не может участвовать в большем их числе.")
    }
  }

  /// A sentence for the user about a remedy.
  var suggestion: LocalizedText {
    switch self {
    case .notSignedIn:
      LocalizedText(
        en: "Sign in, or continue on this device.",
        ru: "Войдите или продолжайте на этом устройстве.")
    case .invalidCredentials:
      LocalizedText(
        en: "Check both and try again.", ru: "Проверьте имя и пароль и попробуйте ещё раз.")
    case .expired: LocalizedText(en: "Sign in again.", ru: "Войдите ещё раз.")
    case .forbidden:
      LocalizedText(en: "Ask the owner for access.", ru: "Попросите доступ у владельца.")
    case .disabled:
      LocalizedText(
        en: "Ask the operator of the server.", ru: "Обратитесь к администратору сервера.")
    case .signUpClosed:
      LocalizedText(
        en: "Ask who runs it for one. They make it by “offshore account add”.",
        ru: """
          Попросите её у того, кто управляет сервером: её создаёт команда «offshore account add».
          """)
    case .nameTaken:
      LocalizedText(
        en: "Sign in to it, or choose another name.", ru: "Войдите в неё или выберите другое имя.")
    case .deleted:
      LocalizedText(
        en: "Continue on this device. Its data stays here, and is not synced.",
        ru: "Продолжайте на этом устройстве. Данные останутся здесь без синхронизации.")
    case .otherAccount:
      LocalizedText(en: "Sign in to that account.", ru: "Войдите в эту учётную запись.")
    case .invalidInvitation:
      LocalizedText(en: "Ask for a new one.", ru: "Попросите новое.")
    case .lastOwner:
      LocalizedText(
        en: "Make another member an owner first.", ru: "Сначала назначьте другого владельца.")
    case .scopeFull:
      LocalizedText(
        en: "Ask an owner to remove a member.", ru: "Попросите владельца удалить участника.")
    case .accountFull:
      LocalizedText(
        en: "Leave one of them, and try again.", ru: "Выйдите из одного и попробуйте ещё раз.")
    }
  }
}
