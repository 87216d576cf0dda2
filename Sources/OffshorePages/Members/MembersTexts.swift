public import OffshorePresentation
import OffshoreWire

/// The texts about members that can name the shared scope. Their initial values fit any scope.
public struct MembersTexts: Sendable {
  /// The permissions of an owner.
  public var owner = LocalizedText(
    en: "You own this: you may change it and invite others.",
    ru: "Вы владелец: можете менять и приглашать других.")
  /// The permissions of an editor.
  public var editor = LocalizedText(
    en: "You may look at this and change it.", ru: "Вы можете смотреть и менять.")
  /// The permissions of a viewer.
  public var viewer = LocalizedText(
    en: "You may look at this, not change it.", ru: "Вы можете смотреть, но не менять.")
  /// An owner with the permissions, for a choice.
  public var ownerChoice = LocalizedText(
    en: "Owner: changes and invites", ru: "Владелец: меняет и приглашает")
  /// An editor with the permissions, for a choice.
  public var editorChoice = LocalizedText(
    en: "Editor: looks and changes", ru: "Редактор: смотрит и меняет")
  /// A viewer with the permissions, for a choice.
  public var viewerChoice = LocalizedText(
    en: "Viewer: only looks", ru: "Наблюдатель: только смотрит")
  /// A sentence about the person who invites to a scope without a title.
  public var untitledInvitation: @Sendable (_ inviter: String) -> LocalizedText = { inviter in
    LocalizedText(
      en: "\(inviter) invites you to join.", ru: "\(inviter) приглашает вас участвовать.")
  }
  /// The state of the copy, for a user who has left.
  public var left = LocalizedText(
    en: "You left. This copy stays as it was and is not synced any more.",
    ru: "Вы вышли. Эта копия остаётся как была и больше не обновляется.")
  /// The text for a former member.
  public var revoked = LocalizedText(
    en: "You do not take part any more.", ru: "Вы больше не участвуете.")
  /// The text below the link to the members of a scope that is not shared.
  public var unshared = LocalizedText(
    en: "On this device alone. Invite others to take part.",
    ru: "Только на этом устройстве. Пригласите других.")
  /// The reason to sign in, for a user who is signed out.
  public var signInToShare = LocalizedText(
    en: "With an account you can invite others.",
    ru: "С учётной записью можно пригласить других.")
  /// The reason why scopes cannot be shared in an app without a server.
  public var noServer = LocalizedText(
    en: "This app was started without a server, so nothing can be shared.",
    ru: "Приложение запущено без сервера, поэтому делиться ничем нельзя.")
  /// The text in place of the members if the server does not have the scope yet.
  public var unsent = LocalizedText(
    en: "The server does not have this yet. Once it does, you can invite others.",
    ru: "На сервере этого ещё нет. Когда появится, можно будет приглашать других.")
  /// The consequence of removing a member.
  public var removal = LocalizedText(
    en: "The member's devices lose access. The member's changes stay.",
    ru: "Устройства участника потеряют доступ. Его изменения останутся.")
  /// The heading of the form for leaving.
  public var leaving = LocalizedText(en: "Stop taking part", ru: "Больше не участвовать")
  /// The hint of the field for a code.
  public var joinHint = LocalizedText(
    en: "The code that an owner gave you.", ru: "Код, который вам дал владелец.")
  /// The reason why joining needs an account, for a user who is signed out.
  public var signInToJoin = LocalizedText(
    en: "You need an account to take part.", ru: "Чтобы участвовать, нужна учётная запись.")
  /// The text for a new member whose rows have not arrived within the waiting time.
  public var late = LocalizedText(
    en: "You take part now. The data is still on its way and shows here when it has come.",
    ru: "Вы участвуете. Данные ещё в пути и появятся здесь, когда придут.")
  /// The text for a new member whose rows have arrived.
  public var arrived = LocalizedText(en: "Everything is here.", ru: "Всё уже здесь.")

  /// Creates the texts that fit any scope.
  public init() {}

  /// Returns the permissions of a role, in a sentence to the user who has it.
  func sentence(for role: Role) -> LocalizedText {
    switch role {
    case .owner: owner
    case .editor: editor
    case .viewer: viewer
    case .left: left
    case .revoked: revoked
    }
  }

  /// Returns a role with its permissions, for a choice.
  func choice(of role: Role) -> LocalizedText {
    switch role {
    case .owner: ownerChoice
    case .editor: editorChoice
    case .viewer: viewerChoice
    case .left, .revoked: role.title
    }
  }
}

extension LocalizedText {
  /// Returns the name of an action with that of its object, such as a member, for assistive technology: several
  /// buttons of a list have the same title.
  public static func action(_ action: LocalizedText, on name: String) -> LocalizedText {
    LocalizedText { "\(action.in($0)): \(name)" }
  }
}

extension Role {
  /// The name of a member with the role.
  var title: LocalizedText {
    switch self {
    case .owner: LocalizedText(en: "Owner", ru: "Владелец")
    case .editor: LocalizedText(en: "Editor", ru: "Редактор")
    case .viewer: LocalizedText(en: "Viewer", ru: "Наблюдатель")
    case .left: LocalizedText(en: "Left", ru: "Вышел")
    case .revoked: LocalizedText(en: "No access", ru: "Без доступа")
    }
  }
}

// MARK: - Texts that are the same for all scopes

extension LocalizedText {
  static let peopleWithAccess = LocalizedText(en: "People with access", ru: "У кого есть доступ")
  static let you = LocalizedText(en: "You", ru: "Вы")
  static let askingWho = LocalizedText(en: "Asking who takes part…", ru: "Узнаём, кто участвует…")
  static let signInToShare = LocalizedText(en: "Sign in to share", ru: "Войдите, чтобы поделиться")
  static let noServerTitle = LocalizedText(en: "On this device alone", ru: "Только здесь")
  static let notSentTitle = LocalizedText(en: "Not sent yet", ru: "Ещё не отправлено")

  // MARK: Management

  static let role = LocalizedText(en: "Role", ru: "Роль")
  static let changeRole = LocalizedText(en: "Change role", ru: "Сменить роль")
  static let changeOrRemove = LocalizedText(
    en: "Change role or remove", ru: "Сменить роль или убрать")
  static let remove = LocalizedText(en: "Remove", ru: "Убрать")
  static let openInvitations = LocalizedText(en: "Open invitations", ru: "Открытые приглашения")
  static let withdraw = LocalizedText(en: "Withdraw", ru: "Отозвать")
  static let invite = LocalizedText(en: "Invite people", ru: "Пригласить")
  static let inviteHint = LocalizedText(
    en: "You get a code to pass on.", ru: "Вы получите код, который можно передать.")
  static let invitedPeople = LocalizedText(en: "For how many people", ru: "На сколько человек")
  static let invitationDays = LocalizedText(en: "Valid for", ru: "Срок действия")
  static let invitationLabel = LocalizedText(en: "Note (optional)", ru: "Пометка (необязательно)")
  static let makeCode = LocalizedText(en: "Make a code", ru: "Создать код")
  static let lookingUp = LocalizedText(
    en: "Looking up the invitation…", ru: "Загружаем приглашение…")
  static let invitationCode = LocalizedText(en: "Invitation code", ru: "Код приглашения")

  static let copyCode = LocalizedText(en: "Copy code", ru: "Скопировать код")
  static let codeCopied = LocalizedText(en: "The code was copied.", ru: "Код скопирован.")
  static let copyLink = LocalizedText(en: "Copy link", ru: "Скопировать ссылку")
  static let linkCopied = LocalizedText(en: "The link was copied.", ru: "Ссылка скопирована.")
  static let shareLink = LocalizedText(en: "Share…", ru: "Поделиться…")

  /// Returns the text alternative of the QR code.
  static func qrCode(_ app: String) -> LocalizedText {
    LocalizedText(
      en: "QR code of the link, which opens \(app)", ru: "QR-код ссылки, которая открывает \(app)")
  }

  /// Returns the message with an invitation.
  static func invitation(in app: LocalizedText, _ link: String) -> LocalizedText {
    LocalizedText(
      en: "Join me in \(app): \(link)", ru: "Присоединяйтесь в приложении \(app): \(link)")
  }

  /// Returns the message with an invitation and the title of the scope's row.
  static func invitation(
    to title: String, in app: LocalizedText, _ link: String
  ) -> LocalizedText {
    LocalizedText(
      en: "Join “\(title)” in \(app): \(link)",
      ru: "Присоединяйтесь к «\(title)» в приложении \(app): \(link)")
  }

  /// - Parameter part: the part of the app with the link to the page for joining.
  static func codeShownOnce(_ part: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: """
        Pass it on now: it is not shown again. The other person scans the picture, opens the link, or \
        enters the code under \(part), Join by code.
        """,
      ru: """
        Передайте его сейчас: больше он не появится. Картинку можно отсканировать, ссылку открыть, а \
        код ввести в разделе «\(part)», «Присоединиться по коду».
        """)
  }

  static func remove(_ name: String) -> LocalizedText {
    LocalizedText(en: "Remove “\(name)”", ru: "Убрать «\(name)»")
  }

  static func validUntil(_ date: String) -> LocalizedText {
    LocalizedText(en: "Valid until \(date).", ru: "Действует до \(date).")
  }

  /// Returns a number of people.
  static func people(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# person", other: "# people"),
      ru: .init(one: "# человек", few: "# человека", many: "# человек"))
  }

  /// Returns a number of members.
  private static func members(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# member", other: "# members"),
      ru: .init(one: "# участник", few: "# участника", many: "# участников"))
  }

  /// Returns a number of days.
  static func days(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# day", other: "# days"),
      ru: .init(one: "# день", few: "# дня", many: "# дней"))
  }

  // MARK: Adding

  static let addPerson = LocalizedText(en: "Add a person you know", ru: "Добавить знакомого")
  static let additionOfPersonExplained = LocalizedText(
    en: "Members of something else that you share take part at once, without a code.",
    ru: "Те, с кем у вас уже есть общее, участвуют сразу, без кода.")
  static let person = LocalizedText(en: "Person", ru: "Человек")

  // MARK: Leaving and joining

  static let leavingExplained = LocalizedText(
    en:
      "A copy stays on your devices to look at, which is not synced any more. Your pending changes "
      + "are sent before.",
    ru: "На ваших устройствах останется копия для просмотра, которая больше не обновляется. "
      + "Неотправленное будет отправлено.")
  static let removeCopyToo = LocalizedText(
    en: "Also remove the copy", ru: "Удалить и копию")
  static let removeCopyExplained = LocalizedText(
    en: "Nothing of it stays on any of your devices.",
    ru: "Ни на одном из ваших устройств ничего не останется.")
  static func nextOwner(_ name: String) -> LocalizedText {
    LocalizedText(en: "\(name) then becomes the owner.", ru: "Владельцем станет \(name).")
  }
  static let leave = LocalizedText(en: "Leave", ru: "Выйти")
  /// The label of the link to the page for accepting an invitation.
  public static let joinByCode = LocalizedText(en: "Join by code", ru: "Присоединиться по коду")
  /// The text above the form with the code of a link.
  static let invitedByLink = LocalizedText(
    en: "You opened an invitation. Nothing is joined before you press the button.",
    ru: "Вы открыли приглашение. Вы присоединитесь, только когда нажмёте кнопку.")
  static let join = LocalizedText(en: "Join", ru: "Присоединиться")
  static let lookUp = LocalizedText(en: "Show who invites", ru: "Показать, кто приглашает")
  /// Returns who invites, and to what.
  static func invitedBy(_ name: String, to title: String) -> LocalizedText {
    LocalizedText(en: "\(name) invites you to “\(title)”.", ru: "\(name) приглашает в «\(title)».")
  }
  /// Returns the number of members, and the role of the user after joining.
  static func members(_ count: Int, _ role: LocalizedText) -> LocalizedText {
    LocalizedText { language in
      let (members, role) = (LocalizedText.members(count).in(language), role.in(language))
      return LocalizedText(
        en: "\(members) · Your role: \(role)", ru: "\(members) · Ваша роль: \(role)"
      ).in(language)
    }
  }
  static let joining = LocalizedText(en: "Joining…", ru: "Присоединяемся…")
  /// The link that leaves the page without joining.
  static let notNow = LocalizedText(en: "Not now", ru: "Не сейчас")
  /// The remedy if the server could not be asked.
  static let mayStillJoin = LocalizedText(
    en: "The invitation may still be open. Try again.",
    ru: "Возможно, приглашение ещё действует. Попробуйте ещё раз.")
  static let enterCode = LocalizedText(en: "Enter the code.", ru: "Введите код.")
  static let signInToJoin = LocalizedText(en: "Sign in to join", ru: "Войдите, чтобы участвовать")

  static let youTakePart = LocalizedText(en: "You take part", ru: "Вы участвуете")
  static let show = LocalizedText(en: "Show", ru: "Показать")

  static func show(_ name: String) -> LocalizedText {
    LocalizedText(en: "Show “\(name)”", ru: "Показать «\(name)»")
  }
}
