import Foundation
import MessAI
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// A conversation: its messages around a place, and the field in which a message is written.
struct ChatPage: RoutedPage {
  private let frame: AppFrame
  private let manager: LocalDataManager
  private let model: ChatViewModel

  init(_ frame: AppFrame, _ app: MessAIDependencies, _ id: String, _ query: Fields) {
    self.frame = frame
    manager = app.localDataManager
    model = app.makeChat(id, at: WindowPosition(query))
  }

  private var say: Localizer { frame.say }
  private var address: String { MessAIRoute.conversation(model.conversationId).address }
  private var entry: ConversationEntry? { model.conversation.state.data }

  func load() async throws { try await model.load() }

  /// Without the script, the messages of the page count as read. With it, those that were in view do.
  func opened(isScripted: Bool) async { if !isScripted { await model.markRead() } }

  func page(_ tab: Tab) -> Page {
    var page = frame.page(
      tab, entry.map { say($0.localizedTitle) } ?? say(.conversation), in: .conversations,
      back: PageLink(say(.conversations), to: MessAIRoute.conversations.address)
    ) {
      tab.region("chat-notices") {
        Notices(Notice.all(of: model.unreadable), say, address: address)
        if model.window.isRowMissing { p(.class("hint"), .role(.status)) { say(.missingMessage) } }
        ReadOnlyNotice(entry?.role, frame, .conversation)
        if let error = model.window.state.errorValue {
          p(.class("error"), .role(.alert)) {
            say(.sentences(of: PersistenceError.fetchFailed(error)))
          }
        }
      }
      tab.region("messages") { messages(tab) }
      tab.region("composer") {
        Composer(model: model, address: address, canWrite: entry?.canWrite == true, say: say).html
      }
    } actions: {
      BarLink(
        say(.conversationSettings),
        to: MessAIRoute.editConversation(model.conversationId).address,
        icon: Icon("people", text: "☺☺"))
    }
    page.stylesheets = [.chat]
    page.waitsForScript = true
    return page
  }

  // MARK: - Messages

  private func messages(_ tab: Tab) -> HTML {
    WindowView(
      model.window, say, label: .messages, address: address, rowPrefix: MessageView.idPrefix,
      seenAction: "seen", opensAt: opensAtFirstUnread ? Self.newMessages : nil,
      empty: EmptyView(
        icon: Icon("chat-dots", text: "✉"), title: say(.noText), text: say(.writeFirst))
    ) { entries in
      let runs = MessageRuns(entries, firstUnread: firstUnread, say)
      for entry in entries {
        if let day = runs.days[entry.id] { h2(.class("day"), .id("day-\(entry.id)")) { day } }
        if entry.id == firstUnread {
          h2(.class("day", "new"), .id(Self.newMessages)) { say(.unreadHeading) }
        }
        tab.memo(view(of: entry, beginsRun: runs.begins(entry.id)))
      }
    }.html
  }

  /// The id of the heading above the first unread message.
  private static let newMessages = "new-messages"

  /// Whether the page was opened at the first unread message.
  private var opensAtFirstUnread: Bool {
    model.firstUnreadID.map { $0 == model.window.position.row } ?? false
  }

  /// The message below the heading for new ones, unless the page was opened at another place.
  private var firstUnread: String? {
    opensAtFirstUnread || model.window.position == .end ? model.firstUnreadID : nil
  }

  private func view(of entry: ChatEntry, beginsRun: Bool) -> MessageView {
    MessageView(
      entry: entry, author: name(of: entry.message.senderId),
      showsAuthor: beginsRun && !entry.isOwn && model.showsAuthors,
      isUnseen: model.isUnseen(entry),
      repliedAuthor: entry.reply.map { name(of: $0.senderId) },
      language: frame.language.language, time: say.time(entry.message.sentAt),
      sendingText: entry.message.status == .failed || entry.sending?.reason != nil
        ? say(SendingText(entry, frame).text) : nil,
      isCurrent: model.window.position.markedRow == entry.id,
      canReply: self.entry?.canWrite == true,
      refusedEdit: model.actions.refusedEdit.flatMap { $0.messageId == entry.id ? $0 : nil },
      address: address)
  }

  private func name(of userId: String) -> String {
    if userId == model.userId { return say(.you) }
    return entry.map { say($0.localizedName(of: userId)) } ?? say(.unknownMember)
  }

  // MARK: - Forms

  func perform(_ form: PageForm) async throws -> Outcome {
    if let outcome = await model.window.perform(form) { return outcome }
    if let outcome = try await model.actions.perform(form) {
      if let id = model.actions.hiddenID { offerUndo(of: id) }
      return outcome
    }
    switch form.action {
    case "seen": return await model.markRead(Set(form.fields.all("row"))) ? .done : .invalid
    case "keep":
      try await model.draft.keep(form.text("text"))
      return .done
    case "reply":
      await model.reply(to: try form.value("message"))
      return .drafted
    case "cancel-reply":
      await model.reply(to: nil)
      return .drafted
    case "send": return await send(form)
    default: throw form.unknownAction
    }
  }

  /// Offers to undo the deletion of a message on this device.
  private func offerUndo(of id: String) {
    frame.offerUndo(.messageDeletedHere) { [manager] in try await manager.restoreMessage(id: id) }
  }

  private func send(_ form: PageForm) async -> Outcome {
    let isSent = await model.send(
      form.text("text"), id: form.fields["entry"].flatMap { UUID(uuidString: $0) },
      image: form.files("image").first(where: { !$0.bytes.isEmpty }).map { Array($0.bytes) },
      replyingTo: form.fields["reply"].flatMap { $0.isEmpty ? nil : $0 })
    return isSent ? .done : .invalid
  }
}

/// The messages above which there is a day, and those that begin a run of messages of one author.
private struct MessageRuns {
  /// The days above the first message of each day, by its id.
  private(set) var days: [String: String] = [:]
  private var beginnings: Set<String> = []

  /// - Parameter firstUnread: the id of a message that has a heading above it, and so begins a run.
  init(_ entries: [ChatEntry], firstUnread: String?, _ say: Localizer) {
    var (formerDay, formerAuthor): (String?, String?) = (nil, nil)
    for entry in entries {
      let (day, author) = (say.longDay(entry.message.sentAt), entry.message.senderId)
      if day != formerDay { days[entry.id] = day }
      if day != formerDay || author != formerAuthor || entry.id == firstUnread {
        beginnings.insert(entry.id)
      }
      (formerDay, formerAuthor) = (day, author)
    }
  }

  /// Returns whether a message is the first one of its author below another one or a heading.
  func begins(_ id: String) -> Bool { beginnings.contains(id) }
}

extension Stylesheet {
  /// The rules for conversations.
  static let chat = Stylesheet("chat", PackageResources.chat_css)
}
