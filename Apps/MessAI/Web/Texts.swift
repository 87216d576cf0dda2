import MessAI
import OffshorePages
import OffshorePresentation

extension LocalizedText {
  static let appName = LocalizedText(verbatim: "MessAI")
  static let conversations = LocalizedText(en: "Conversations", ru: "Беседы")
  static let conversation = LocalizedText(en: "Conversation", ru: "Беседа")
  static let newConversation = LocalizedText(en: "New conversation", ru: "Новая беседа")
  static let message = LocalizedText(en: "Message", ru: "Сообщение")
  static let noConversations = LocalizedText(en: "No conversations yet", ru: "Бесед пока нет")
  static let startOne = LocalizedText(
    en: "Start one and invite others by a code, or join one with a code.",
    ru: "Начните беседу и пригласите других по коду или присоединитесь по коду, который вам дали.")
  static let searchMessages = LocalizedText(en: "Search messages", ru: "Поиск сообщений")
  static let searchResults = LocalizedText(en: "Found messages", ru: "Найденные сообщения")
  static let nothingFound = LocalizedText(en: "Nothing found", ru: "Ничего не найдено")
  static let otherWords = LocalizedText(
    en: "No message has all of these words. Try fewer words, or only their beginnings.",
    ru: "Ни в одном сообщении нет всех этих слов. Попробуйте меньше слов или только их начала.")
  static let showMore = LocalizedText(en: "Show more", ru: "Показать ещё")
  static let photo = LocalizedText(en: "Photo", ru: "Фото")
  static let photoArriving = LocalizedText(
    en: "The photo is on its way.", ru: "Фото загружается.")
  static let noText = LocalizedText(en: "No messages yet", ru: "Сообщений пока нет")
  /// The heading above the first unread message.
  static let unreadHeading = LocalizedText(en: "New messages", ru: "Новые сообщения")
  static let onlyYou = LocalizedText(en: "Only you so far", ru: "Пока только вы")
  static let arriving = LocalizedText(en: "Arriving…", ru: "Загружается…")

  static func newMessages(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# new", other: "# new"),
      ru: .init(one: "# новое", few: "# новых", many: "# новых"))
  }

  // MARK: Creating

  static let groupName = LocalizedText(en: "Name of the group", ru: "Название группы")
  static let groupNameHint = LocalizedText(
    en: "Not needed for two people.", ru: "Для беседы вдвоём не нужно.")
  static let peopleYouKnow = LocalizedText(en: "People you know", ru: "Знакомые")
  static let create = LocalizedText(en: "Create", ru: "Создать")
  static let invitationHint = LocalizedText(
    en: "To invite others, create a code on the conversation’s page.",
    ru: "Других можно пригласить по коду, который создаётся на странице беседы.")
  static let rename = LocalizedText(en: "Rename the group", ru: "Переименовать группу")
  static let save = LocalizedText(en: "Save", ru: "Сохранить")
  static let removeConversation = LocalizedText(
    en: "Remove from my devices", ru: "Убрать с моих устройств")
  static let removeCopy = LocalizedText(
    en: "Remove from this device", ru: "Убрать с этого устройства")
  static let removeCopyExplained = LocalizedText(
    en: "You have left the conversation. Its messages are removed from this device.",
    ru: "Вы вышли из беседы. Её сообщения исчезнут с этого устройства.")
  static let removeExplained = LocalizedText(
    en:
      "You leave the conversation, and its messages are removed from your devices. If you are its only "
      + "member, it is deleted.",
    ru:
      "Вы выйдете из беседы, и её сообщения исчезнут с ваших устройств. Если в ней больше никого нет, она "
      + "будет удалена.")

  // MARK: Writing

  static let writeMessage = LocalizedText(en: "Write a message", ru: "Напишите сообщение")
  static let send = LocalizedText(en: "Send", ru: "Отправить")
  static let emptyMessage = LocalizedText(
    en: "Write a message or add a photo.", ru: "Напишите сообщение или добавьте фото.")
  static let addPhoto = LocalizedText(en: "Add a photo", ru: "Добавить фото")
  static let photoHint = LocalizedText(
    en: "PNG, JPEG or WebP, at most 10 MB.", ru: "PNG, JPEG или WebP, не больше 10 МБ.")
  static let reply = LocalizedText(en: "Reply", ru: "Ответить")
  static let deletedMessage = LocalizedText(en: "Deleted message", ru: "Удалённое сообщение")
  static let deleteForAll = LocalizedText(en: "Delete for all members", ru: "Удалить у всех")
  static let deleteHere = LocalizedText(en: "Delete on this device", ru: "Удалить здесь")
  static let deletionExplained = LocalizedText(
    en: "It is deleted on the devices of all members. This cannot be undone.",
    ru: "Сообщение удалится с устройств всех участников. Отменить это нельзя.")
  static let messageDeletedHere = LocalizedText(
    en: "The message was deleted on this device.", ru: "Сообщение удалено с этого устройства.")
  static let missingMessage = LocalizedText(
    en: "The message was deleted, or is not on this device.",
    ru: "Сообщение удалено или его нет на этом устройстве.")
  static let messages = LocalizedText(en: "Messages", ru: "Сообщения")
  static let you = LocalizedText(en: "You", ru: "Вы")
  static let formerMember = LocalizedText(en: "Former member", ru: "Бывший участник")
  static let unknownMember = LocalizedText(en: "Unknown member", ru: "Неизвестный участник")

  /// The title of a conversation that all others have left.
  static func left(_ names: String) -> LocalizedText {
    LocalizedText(en: "\(names) (left)", ru: "\(names) (не в беседе)")
  }

  /// The name of a message's menu.
  static func actions(on message: String) -> LocalizedText {
    LocalizedText(en: "Actions: \(message)", ru: "Действия: \(message)")
  }

  static let ownPhoto = LocalizedText(en: "Your photo", ru: "Ваше фото")

  static func photo(from name: String) -> LocalizedText {
    LocalizedText(en: "Photo from \(name)", ru: "Фото: \(name)")
  }

  static let replyingTo = LocalizedText(en: "Reply to:", ru: "Ответ на:")
  static let cancelReply = LocalizedText(en: "Cancel reply", ru: "Отменить ответ")
  static let writeFirst = LocalizedText(
    en: "Write the first one. It is sent when the server can be reached.",
    ru: "Напишите первое. Оно отправится, когда сервер будет доступен.")
  static let conversationSettings = LocalizedText(
    en: "Members and name of the conversation", ru: "Участники и название беседы")

  // MARK: Sending

  static let unsent = LocalizedText(en: "Unsent", ru: "Не отправлено")
  static let allSent = LocalizedText(en: "Everything has been sent", ru: "Всё отправлено")
  static let allSentText = LocalizedText(
    en: "Messages that wait for the network, or that were refused, are listed here.",
    ru: "Здесь появятся сообщения, которые ждут сети или не приняты.")
  static let waiting = LocalizedText(en: "Waiting", ru: "Ждёт")
  static let failed = LocalizedText(en: "Not sent", ru: "Не отправлено")
  static let waitsForNetwork = LocalizedText(
    en: "It is sent when the server can be reached.",
    ru: "Отправится, когда сервер будет доступен.")
  static let imageOnItsWay = LocalizedText(en: "The photo is being sent.", ru: "Фото отправляется.")
  static let writingForbidden = LocalizedText(
    en: "You may not write in this conversation any more.",
    ru: "Вам больше нельзя писать в этой беседе.")
  static let imageTooLarge = LocalizedText(
    en: "The photo is too large for the server. Delete the message, and send a smaller photo.",
    ru: "Фото слишком большое для сервера. Удалите сообщение и отправьте фото поменьше.")
  static let retryAll = LocalizedText(en: "Retry all", ru: "Повторить все")
  static let tryAgainNow = LocalizedText(en: "Try again now", ru: "Повторить сейчас")
  static let editMessage = LocalizedText(en: "Edit", ru: "Изменить")
  static let saveAndSend = LocalizedText(en: "Save and send", ru: "Сохранить и отправить")
  static let cancelMessage = LocalizedText(en: "Cancel the message", ru: "Отменить сообщение")
  static let cancelExplained = LocalizedText(
    en: "It is deleted, and is never sent.", ru: "Оно удалится, и никто его не получит.")

  static func attempts(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# attempt.", other: "# attempts."),
      ru: .init(one: "# попытка.", few: "# попытки.", many: "# попыток."))
  }

  static func nextTry(_ time: String) -> LocalizedText {
    LocalizedText(en: "Next attempt at \(time).", ru: "Следующая попытка в \(time).")
  }
}

extension MessageStatus {
  /// The status in words.
  var title: LocalizedText {
    switch self {
    case .sending: LocalizedText(en: "Sending", ru: "Отправляется")
    case .sent: LocalizedText(en: "Sent", ru: "Отправлено")
    case .delivered: LocalizedText(en: "Delivered", ru: "Доставлено")
    case .read: LocalizedText(en: "Read", ru: "Прочитано")
    case .failed: .failed
    }
  }

  /// A symbol beside the words.
  var symbol: String {
    switch self {
    case .sending: "◷"
    case .sent: "✓"
    case .delivered, .read: "✓✓"
    case .failed: "!"
    }
  }
}

extension ConversationEntry {
  /// The title in words.
  var localizedTitle: LocalizedText {
    switch title {
    case .group(let name): LocalizedText(verbatim: name)
    case .people(let names): LocalizedText(verbatim: names.joined(separator: ", "))
    case .formerPeople(let names): .left(names.joined(separator: ", "))
    case .alone: .onlyYou
    case .unknown: .arriving
    }
  }

  /// The name of the author of a message. A current member whose name is not known is no former member.
  func localizedName(of userId: String) -> LocalizedText {
    if let name = names[userId] { return LocalizedText(verbatim: name) }
    return role == nil || conversation.participantIds.contains(userId)
      ? .unknownMember : .formerMember
  }
}

extension LocalizedText {
  /// Returns the sentences about a failed operation on messages or conversations.
  static func sentences(of error: any Error) -> LocalizedText {
    let sentences = PersistenceError.sentences(of: error, naming: .ofMessages)
    return LocalizedText { language in
      sentences.map { $0.in(language) }.joined(separator: " ")
    }
  }
}

extension AppError {
  /// The sentence beside the field of a message's text.
  var sentenceForText: LocalizedText {
    self == .validation(.missingRequiredFields)
      ? .emptyMessage : localizedMessage(naming: .ofMessages)
  }
}

extension FieldNames {
  /// The labels of the fields of messages and conversations.
  static let ofMessages = FieldNames.common.adding([
    "text": .message, "name": .groupName, "id": .conversation,
  ])
}

extension MembersTexts {
  static let ofConversations: MembersTexts = {
    var texts = MembersTexts()
    texts.owner = LocalizedText(
      en: "You own this conversation: you may rename it and invite others.",
      ru: "Вы владелец: можете переименовать беседу и приглашать других.")
    texts.editor = LocalizedText(
      en: "You may read and write here.", ru: "Вы можете читать и писать.")
    texts.viewer = LocalizedText(
      en: "You may read here, not write.", ru: "Вы можете читать, но не писать.")
    texts.left = LocalizedText(
      en: "You left this conversation. Its messages stay on this device.",
      ru: "Вы вышли из беседы. То, что было, можно читать.")
    texts.revoked = LocalizedText(
      en: "You are no longer a member of this conversation.",
      ru: "Вы больше не участвуете в этой беседе.")
    texts.unshared = LocalizedText(
      en: "You are the only member. Invite others to write to them.",
      ru: "Вы единственный участник. Пригласите других.")
    texts.ownerChoice = LocalizedText(
      en: "Owner: renames and invites", ru: "Владелец: переименовывает и приглашает")
    texts.editorChoice = LocalizedText(
      en: "Editor: reads and writes", ru: "Редактор: читает и пишет")
    texts.viewerChoice = LocalizedText(
      en: "Viewer: only reads", ru: "Наблюдатель: только читает")
    texts.untitledInvitation = {
      LocalizedText(
        en: "\($0) invites you to a conversation.", ru: "\($0) приглашает вас в беседу.")
    }
    texts.signInToShare = LocalizedText(
      en: "With an account you can invite others, and your messages are sent.",
      ru: "С учётной записью можно пригласить других, и сообщения отправятся.")
    texts.noServer = LocalizedText(
      en: "This app was started without a server, so messages cannot be sent.",
      ru: "Приложение запущено без сервера, поэтому сообщения не отправить.")
    texts.unsent = LocalizedText(
      en: "The server does not have this conversation yet. Once it does, you can invite others.",
      ru: "На сервере этой беседы ещё нет. Когда появится, можно будет приглашать других.")
    texts.removal = LocalizedText(
      en: "The conversation leaves their devices. Their messages stay here.",
      ru: "Беседа исчезнет с их устройств. Их сообщения останутся здесь.")
    texts.leaving = LocalizedText(en: "Leave this conversation", ru: "Выйти из беседы")
    texts.joinHint = LocalizedText(
      en: "The code that a member gave you.", ru: "Код, который вам дал участник.")
    texts.signInToJoin = LocalizedText(
      en: "You need an account to take part in a conversation.",
      ru: "Чтобы участвовать в беседе, нужна учётная запись.")
    texts.late = LocalizedText(
      en: "You have joined. The messages will appear here as they arrive.",
      ru: "Вы присоединились. Сообщения появятся здесь по мере поступления.")
    texts.arrived = LocalizedText(en: "The conversation is here.", ru: "Беседа уже здесь.")
    return texts
  }()
}
