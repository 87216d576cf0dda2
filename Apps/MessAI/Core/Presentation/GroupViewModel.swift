import Foundation
import Observation
package import OffshorePresentation
import OffshoreSync

/// The model of the page on which a conversation is renamed or removed.
@MainActor @Observable
package final class GroupViewModel {
  /// The conversation. The state is the error `database(.notFound)` while it is not on this device.
  package let conversation: Live<ConversationEntry>
  /// The error of the name, or `nil`.
  package private(set) var nameError: AppError?
  /// The error of the latest action, if the name is not its cause.
  package private(set) var failure: (any Error)?

  @ObservationIgnored private let id: String
  @ObservationIgnored private let manager: LocalDataManager

  /// Creates a model. Nothing is read before ``load()``.
  package init(_ id: String, _ manager: LocalDataManager) {
    (self.id, self.manager) = (id, manager)
    conversation = Live(required: { manager.conversation(id) })
  }

  /// Reads the conversation, and observes it.
  package func load() async throws { try await conversation.loadRequired() }

  /// Renames the group.
  /// - Returns: `false` if it failed, with the reason in ``nameError`` or ``failure``.
  package func rename(to name: String) async -> Bool {
    (nameError, failure) = (nil, nil)
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty else {
      nameError = .validation(.emptyName)
      return false
    }
    guard name.count <= Conversation.nameLimit else {
      nameError = .validation(.tooLong(field: "name", maximum: Conversation.nameLimit))
      return false
    }
    return await perform {
      guard var conversation = conversation.state.data?.conversation else {
        throw PersistenceError.conversationNotFound
      }
      conversation.groupName = name
      try await manager.saveConversation(conversation)
    }
  }

  /// Removes the conversation from the devices of the user.
  /// - Returns: `false` if it failed, with the reason in ``failure``.
  package func remove() async -> Bool {
    (nameError, failure) = (nil, nil)
    return await perform { try await manager.deleteConversation(id: id) }
  }

  private func perform(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return true
    } catch {
      failure = error
      return false
    }
  }
}
