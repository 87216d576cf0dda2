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

  func load() async throws {
    try await model.load()
    await model.markRead()
  }

  func page(_ tab: Tab) -> Page {
    var page = frame.page(
      tab, entry.map { say($0.localizedTitle) } ?? say(.conversation), in: .conversations,
      back: PageLink(say(.conversations), to: MessAIRoute.conversations.address)
    ) {
      tab.region("chat-notices") {
        Notices(Notice.all(of: model.unreadable), say, address: address)
        if model.window.isRowMissing { p(.class("hint"), .role(.status)) { say(.missingMessage) } }
        ReadOnlyNotice(entry?.role, frame, .conversation)
      }
      tab.region("messages") { messages(tab) }
      tab.region("seen") { seen }
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
      empty: EmptyView(
        icon: Icon("chat-dots", text: "✉"), title: say(.noText), text: say(.writeFirst))
    ) { entries in
      let (days, showsAuthors) = (DaySeparators(entries, say), model.showsAuthors)
      for entry in entries {
        if let day = days[entry.id] { h2(.class("day"), .id("day-\(entry.id)")) { day } }
        tab.memo(view(of: entry, showsAuthors))
      }
    }.html
  }

  private func view(of entry: ChatEntry, _ showsAuthors: Bool) -> MessageView {
    MessageView(
      entry: entry,
      author: entry.isOwn || !showsAuthors ? nil : name(of: entry.message.senderId),
      repliedAuthor: entry.reply.map { name(of: $0.senderId) },
      language: frame.language.language, time: say.time(entry.message.sentAt),
      sendingText: entry.message.status == .failed || entry.sending?.reason != nil
        ? say(SendingText(entry, frame).text) : nil,
      isCurrent: model.window.position.markedRow == entry.id,
      canWrite: self.entry?.canWrite == true,
      refusedEdit: model.refusedEdit.flatMap { $0.messageId == entry.id ? $0 : nil },
      address: address)
  }

  private func name(of userId: String) -> String {
    if userId == model.userId { return say(.you) }
    return entry?.names[userId] ?? say(.someone)
  }

  /// A form that the script posts when a new message is in view, so that its author sees that it was read.
  @HTMLBuilder private var seen: HTML {
    if !model.window.canLoadAfter,
      let unread = model.window.state.data?.last(where: \.isUnread)
    {
      form(
        .method(.post), .action(address), .id("seen-\(unread.id)"), .data("more", "rows")
      ) { HiddenValue("action", "seen") }
    }
  }

  // MARK: - Forms

  func perform(_ form: PageForm) async throws -> Outcome {
    if let outcome = await model.window.perform(form) { return outcome }
    switch form.action {
    case "seen":
      await model.markRead()
      return .done
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
    case "retry": return await model.retry(try form.value("message")) ? .done : .invalid
    case "cancel": return await model.cancel(try form.value("message")) ? .done : .invalid
    case "edit":
      return await model.edit(try form.value("message"), to: form.text("text"))
        ? .done : .invalid
    case "delete": return await delete(try form.value("message"))
    default: throw form.unknownAction
    }
  }

  /// Deletes a message. That on this device can be undone.
  private func delete(_ id: String) async -> Outcome {
    guard await model.delete(id) else { return .invalid }
    if model.hiddenID == id {
      frame.offerUndo(.messageDeletedHere) { [manager] in try await manager.restoreMessage(id: id) }
    }
    return .done
  }

  private func send(_ form: PageForm) async -> Outcome {
    let isSent = await model.send(
      form.text("text"), id: form.fields["entry"].flatMap { UUID(uuidString: $0) },
      image: form.files("image").first(where: { !$0.bytes.isEmpty }).map { Array($0.bytes) },
      replyingTo: form.fields["reply"].flatMap { $0.isEmpty ? nil : $0 })
    return isSent ? .done : .invalid
  }
}

/// The days above the first message of each day.
private struct DaySeparators {
  private var days: [String: String] = [:]

  init(_ entries: [ChatEntry], _ say: Localizer) {
    var former: String?
    for entry in entries {
      let day = say.longDay(entry.message.sentAt)
      if day != former { days[entry.id] = day }
      former = day
    }
  }

  subscript(id: String) -> String? { days[id] }
}

extension Stylesheet {
  /// The rules for conversations.
  static let chat = Stylesheet("chat", PackageResources.chat_css)
}
