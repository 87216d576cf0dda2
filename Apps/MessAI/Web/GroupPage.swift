import Foundation
import MessAI
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import OffshoreWire

/// The page of a conversation's name and members, and for removing it.
final class GroupPage: RoutedPage {
  private let frame: AppFrame
  private let id: String
  private let model: GroupViewModel
  private var typedName: String?

  init(_ frame: AppFrame, _ app: MessAIDependencies, _ id: String) {
    (self.frame, self.id) = (frame, id)
    model = GroupViewModel(id, app.localDataManager)
  }

  private var say: Localizer { frame.say }
  private var address: String { MessAIRoute.editConversation(id).address }

  func load() async throws { try await model.load() }

  func page(_ tab: Tab) -> Page {
    let entry = model.conversation.state.data
    let title = entry.map { say($0.localizedTitle) } ?? say(.conversation)
    return frame.page(
      tab, title, in: .conversations,
      back: PageLink(title, to: MessAIRoute.conversation(id).address)
    ) {
      tab.region("group") { [self] in
        if let failure = model.failure { ErrorView(say(.sentences(of: failure))) }
        if let entry, entry.conversation.isGroup, entry.role != .editor, entry.canWrite {
          PostForm(to: address, id: "rename-form") {
            Field(
              say(.groupName), name: "name", value: typedName ?? entry.conversation.groupName ?? "",
              error: model.nameError.map { say($0.localizedMessage(naming: .ofMessages)) },
              maximumLength: Conversation.nameLimit)
            SubmitButton(say(.save), action: "rename")
          }
        }
        // A conversation whose id cannot be sent has no other members.
        if ScopeID.conversation(id) != nil {
          Card { MembersLink(frame, .conversation, ofScope: id) }
        }
        removal(ofCopy: entry?.role == .left)
      }
    }
  }

  /// The form that removes the conversation; a copy is removed from this device alone.
  private func removal(ofCopy isCopy: Bool) -> HTML {
    let title = say(isCopy ? .removeCopy : .removeConversation)
    return details(.id("remove"), .class("remove")) {
      summary { title }
      p(.class("hint")) { say(isCopy ? .removeCopyExplained : .removeExplained) }
      PostForm(to: address, id: "remove-form") {
        SubmitButton(title, style: .destructive, action: "remove")
      }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    switch form.action {
    case "rename":
      typedName = form.text("name")
      return await model.rename(to: form.text("name"))
        ? .go(to: MessAIRoute.conversation(id).address) : .invalid
    case "remove":
      return await model.remove() ? .go(to: MessAIRoute.conversations.address) : .invalid
    default: throw form.unknownAction
    }
  }
}
