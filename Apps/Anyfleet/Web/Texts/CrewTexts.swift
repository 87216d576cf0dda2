import Anyfleet
import OffshorePresentation

// What the pages say on which charters are shared.

extension CharterRole {
  /// What somebody is called who has it.
  var title: LocalizedText {
    switch self {
    case .owner: LocalizedText(en: "Owner", ru: "Владелец")
    case .editor: LocalizedText(en: "Editor", ru: "Редактор")
    case .viewer: LocalizedText(en: "Viewer", ru: "Наблюдатель")
    case .left: LocalizedText(en: "Left", ru: "Вышел")
    case .revoked: LocalizedText(en: "No access", ru: "Без доступа")
    }
  }

  /// The role with what it allows, for a choice.
  var choice: LocalizedText {
    switch self {
    case .owner:
      LocalizedText(en: "Owner: changes and invites", ru: "Владелец: меняет и приглашает")
    case .editor: LocalizedText(en: "Editor: looks and changes", ru: "Редактор: смотрит и меняет")
    case .viewer: LocalizedText(en: "Viewer: only looks", ru: "Наблюдатель: только смотрит")
    case .left, .revoked: title
    }
  }

  /// What one may do oneself, as a sentence.
  var ownSentence: LocalizedText {
    switch self {
    case .owner:
      LocalizedText(
        en: "You own this charter: you may change it and invite others.",
        ru: "Вы владелец: можете менять чартер и приглашать других.")
    case .editor:
      LocalizedText(
        en: "You may look at this charter and change it.",
        ru: "Вы можете смотреть этот чартер и менять его.")
    case .viewer: .onlyLook
    case .left: .leftCopy
    case .revoked:
      LocalizedText(
        en: "You do not take part in this charter any more.",
        ru: "Вы больше не участвуете в этом чартере.")
    }
  }
}

extension LocalizedText {
  static let sharedWith = LocalizedText(en: "Shared with", ru: "Общий доступ")
  static let peopleWithAccess = LocalizedText(
    en: "People with access", ru: "У кого есть доступ")
  static let onlyLook = LocalizedText(
    en: "You may look at this charter, not change it.",
    ru: "Этот чартер вы можете смотреть, но не менять.")
  static let leftCopy = LocalizedText(
    en: "You left this charter. This copy stays as it was and is not synced any more.",
    ru: "Вы вышли из этого чартера. Эта копия остаётся как была и больше не обновляется.")
  static let removeTheCopy = LocalizedText(en: "Remove the Copy", ru: "Удалить копию")
  static let copyRemovalExplained = LocalizedText(
    en: "It goes from this device. Those who take part keep the charter.",
    ru: "Она исчезнет с этого устройства. У участников чартер останется.")
  static func remove(_ name: String) -> LocalizedText {
    LocalizedText(en: "Remove “\(name)”", ru: "Убрать «\(name)»")
  }

  static func removeCopy(of name: String) -> LocalizedText {
    LocalizedText(en: "Remove the copy of \(name)", ru: "Удалить копию: \(name)")
  }
  static let onThisDeviceAlone = LocalizedText(
    en: "On this device alone. Invite others to sail with you.",
    ru: "Только на этом устройстве. Пригласите других.")

  // MARK: Who has access

  static let askingWho = LocalizedText(
    en: "Asking who takes part…", ru: "Узнаём, кто участвует…")
  static let you = LocalizedText(en: "You", ru: "Вы")
  static let offlineTitle = LocalizedText(en: "No Connection", ru: "Нет соединения")
  static let offlineText = LocalizedText(
    en: "Who takes part is known to the server. The charter itself is here, and works without it.",
    ru: "Кто участвует, знает сервер. Сам чартер здесь и работает без него.")
  static let signInToShare = LocalizedText(en: "Sign In to Share", ru: "Войдите, чтобы поделиться")
  static let signInToShareText = LocalizedText(
    en: "With an account you can invite others to this charter, and tick its checklists together.",
    ru: "С учётной записью можно пригласить других и отмечать чек-листы вместе.")
  static let noServerTitle = LocalizedText(en: "On This Device Alone", ru: "Только здесь")
  static let noServerText = LocalizedText(
    en: "This app was started without a server, so charters cannot be shared.",
    ru: "Приложение запущено без сервера, поэтому делиться чартерами нельзя.")
  static let notSentTitle = LocalizedText(en: "Not Sent Yet", ru: "Ещё не отправлено")
  static let notSentText = LocalizedText(
    en: "The server does not have this charter yet. Once it does, you can invite others.",
    ru: "На сервере этого чартера ещё нет. Когда появится, можно будет приглашать других.")

  // MARK: Managing

  static let role = LocalizedText(en: "Role", ru: "Роль")
  static let changeRole = LocalizedText(en: "Change Role", ru: "Сменить роль")
  static let changeOrRemove = LocalizedText(
    en: "Change role or remove", ru: "Сменить роль или убрать")
  static let removalExplained = LocalizedText(
    en: "The charter leaves their devices. What they ticked stays.",
    ru: "Чартер исчезнет с их устройств. Их отметки останутся.")
  static let openInvitations = LocalizedText(en: "Open invitations", ru: "Открытые приглашения")
  static let withdraw = LocalizedText(en: "Withdraw", ru: "Отозвать")
  static let inviteSomebody = LocalizedText(en: "Invite somebody", ru: "Пригласить")
  static let inviteHint = LocalizedText(
    en: "You get a code to pass on. It lets in one person, once.",
    ru: "Вы получите код, который можно передать. Он впускает одного человека один раз.")
  static let makeCode = LocalizedText(en: "Make a Code", ru: "Создать код")
  static let invitationCode = LocalizedText(en: "Invitation code", ru: "Код приглашения")
  static let codeShownOnce = LocalizedText(
    en: "Copy it now: it is not shown again. The other enters it under Charters, Join by a code.",
    ru: "Скопируйте его сейчас: больше он не появится. Вводить его нужно в разделе «Чартеры», "
      + "«Присоединиться по коду».")

  static func validUntil(_ date: String) -> LocalizedText {
    LocalizedText(en: "Valid until \(date).", ru: "Действует до \(date).")
  }

  // MARK: Leaving

  static let leaveThisCharter = LocalizedText(
    en: "Leave this charter", ru: "Выйти из этого чартера")
  static let leavingExplained = LocalizedText(
    en: "It stays on this device as a copy to look at, which is not synced any more. What was not "
      + "sent yet is not sent.",
    ru: "На этом устройстве останется копия для просмотра, которая больше не обновляется. "
      + "Неотправленное отправлено не будет.")
  static let leave = LocalizedText(en: "Leave", ru: "Выйти")

  // MARK: Joining

  static let joinByCode = LocalizedText(en: "Join by a Code", ru: "Присоединиться по коду")
  static let joinHint = LocalizedText(
    en: "The code that an owner of the charter gave you.",
    ru: "Код, который вам дал владелец чартера.")
  static let join = LocalizedText(en: "Join", ru: "Присоединиться")
  static let joining = LocalizedText(en: "Joining…", ru: "Присоединяемся…")
  static let enterCode = LocalizedText(en: "Enter the code.", ru: "Введите код.")
  static let signInToJoin = LocalizedText(en: "Sign In to Join", ru: "Войдите, чтобы участвовать")
  static let signInToJoinText = LocalizedText(
    en: "Whoever takes part in a charter of somebody else needs an account.",
    ru: "Чтобы участвовать в чужом чартере, нужна учётная запись.")
  static let charterIsLate = LocalizedText(
    en: "You take part now. The charter is still on its way and shows here when it has come.",
    ru: "Вы участвуете. Чартер ещё в пути и появится здесь, когда придёт.")
  static let charterIsOnItsWay = LocalizedText(
    en: "The server has this charter. It is on its way and shows here when it has come.",
    ru: "Этот чартер есть на сервере. Он ещё в пути и появится здесь, когда придёт.")
  static let charterHasCome = LocalizedText(en: "The charter is here.", ru: "Чартер уже здесь.")

  // MARK: Gone

  static let charterGone = LocalizedText(en: "This Charter Is Gone", ru: "Этого чартера больше нет")
  static func deletedElsewhere(_ time: String) -> LocalizedText {
    LocalizedText(
      en: "It was deleted on another phone, \(time).",
      ru: "Его удалили на другом телефоне, \(time).")
  }
  static func deletedHere(_ time: String) -> LocalizedText {
    LocalizedText(en: "It was deleted here, \(time).", ru: "Его удалили здесь, \(time).")
  }
  static let accessEnded = LocalizedText(
    en: "You do not take part in it any more, so it has left this device.",
    ru: "Вы больше в нём не участвуете, поэтому на этом устройстве его нет.")
  static let changesDidNotStay = LocalizedText(
    en: "What was changed here meanwhile did not stay.",
    ru: "То, что тем временем изменили здесь, не сохранилось.")
}

extension LocalizedText {
  static let signIn = LocalizedText(en: "Sign In", ru: "Войти")
}
