package import Foundation
import Observation
import Offshore
package import OffshorePresentation
package import OffshoreSync

/// The model of the form for a new conversation or group.
@MainActor @Observable
package final class NewConversationViewModel {
  /// The accounts that share another conversation with this one, in the order of their names.
  package let people: Live<[KnownAccount]>
  /// The error of the name, or `nil`.
  package private(set) var nameError: AppError?
  /// The error of the latest attempt, if the name is not its cause.
  package private(set) var failure: (any Error)?

  @ObservationIgnored private let manager: LocalDataManager

  /// Creates a model. Nothing is read before ``load()``.
  package init(_ manager: LocalDataManager) {
    self.manager = manager
    let store = manager.store
    people = Live {
      store.values { reader in
        // A scope that does not exist yet has no members.
        try ScopeID.conversation("new").map { try store.knownAccounts(notIn: $0, reader) } ?? []
      }
    }
  }

  /// Reads the people, and observes them.
  package func load() async { await people.load() }

  /// Creates a conversation, and admits members. Without a network, that happens when the server can be
  /// reached.
  /// - Parameters:
  ///   - id: the id of the new conversation, so that a form that is sent twice makes one.
  ///   - name: the name of a group; empty for a conversation of two.
  ///   - members: the accounts to admit.
  /// - Returns: `false` if it failed, with the reason in ``nameError`` or ``failure``.
  package func create(_ id: UUID, named name: String, with members: [UUID]) async -> Bool {
    (nameError, failure) = (nil, nil)
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard name.count <= Conversation.nameLimit else {
      nameError = .validation(.tooLong(field: "name", maximum: Conversation.nameLimit))
      return false
    }
    let isGroup = members.count > 1 || !name.isEmpty
    guard !isGroup || !name.isEmpty else {
      nameError = .validation(.emptyName)
      return false
    }
    do {
      try await insert(id, isGroup ? name : nil, members)
      return true
    } catch {
      failure = error
      return false
    }
  }

  private func insert(_ id: UUID, _ name: String?, _ members: [UUID]) async throws {
    let (store, now) = (manager.store, manager.store.now())
    let userID = try await store.read { try SyncedStore.userID($0).uuidString }
    try await manager.saveConversation(
      Conversation(
        id: id.uuidString, participantIds: [userID] + members.map(\.uuidString),
        isGroup: name != nil, groupName: name, lastMessage: "", lastMessageAt: now,
        createdBy: userID, createdAt: now),
      admitting: members)
  }
}
