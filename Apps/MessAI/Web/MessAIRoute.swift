import Foundation
import MessAI
import OffshoreHTTP
import OffshorePages
import OffshorePresentation

/// The pages of the app.
enum MessAIRoute: PageRoute {
  case conversations
  case newConversation
  case conversation(String)
  case editConversation(String)
  case unsent

  var path: RoutePath {
    switch self {
    case .conversations: ""
    // NB: Not below the conversations, one of which may have the id `new`.
    case .newConversation: "new"
    case .conversation(let id): "conversations/\(id)"
    case .editConversation(let id): "conversations/\(id)/edit"
    case .unsent: "unsent"
    }
  }

  static let all: [RouteCase<MessAIRoute>] = [
    RouteCase(.conversations), RouteCase(.newConversation), RouteCase(MessAIRoute.conversation),
    RouteCase(MessAIRoute.editConversation), RouteCase(.unsent),
  ]

  var formLimit: Int {
    // NB: More than an image may have, so that a larger one is refused beside its field, and the text stays typed.
    if case .conversation = self { 32 << 20 } else { 1 << 20 }
  }
}

extension MessAIRoute {
  /// Returns the address of a conversation, at a message of it.
  static func address(of message: Message) -> String {
    WindowPosition.around(message.id).address(
      on: MessAIRoute.conversation(message.conversationId).address,
      rowPrefix: MessageView.idPrefix)
  }
}

extension AppFrame.Part.ID {
  static let conversations: AppFrame.Part.ID = "conversations"
  static let unsent: AppFrame.Part.ID = "unsent"
}

extension SharedKind {
  /// A conversation, shared by its members.
  static let conversation = SharedKind(
    MessAISchema.conversationKind, of: String.self, in: .conversations, texts: .ofConversations
  ) { MessAIRoute.conversation($0).address }
}
