package import Foundation
package import OffshoreImages
package import OffshorePresentation
package import OffshoreSync

/// The objects that the screens of MessAI share.
@MainActor
package final class MessAIDependencies {
  package let localDataManager: LocalDataManager
  package let syncManager: SyncManager
  package let service: SyncService
  package let images: MessageImages
  /// The number of unread messages in all conversations.
  package let unreadCount: Live<Int>
  package let makeID: @Sendable () -> UUID

  /// Creates the objects for an open file.
  /// - Parameters:
  ///   - server: the server to sync with, or `nil`.
  ///   - program: the program that scales images.
  /// - Throws: `DatabaseError`.
  package init(
    _ store: SyncedStore, server: URL?, networkMonitor: NetworkMonitor,
    program: ImageProgram = ImageProgram(),
    makeID: @escaping @Sendable () -> UUID = { UUID() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws {
    localDataManager = LocalDataManager(PersistenceController(store))
    service = try await store.sync(with: server, sleep: sleep)
    networkMonitor.follow(service, server: server)
    syncManager = SyncManager(
      localDataManager: localDataManager, networkMonitor: networkMonitor, service: service,
      sleep: sleep)
    images = MessageImages(localDataManager, program: program)
    self.makeID = makeID
    unreadCount = Live { [localDataManager] in localDataManager.unreadCount() }
    await unreadCount.load()
    syncManager.start()
  }

  /// Creates the model of a conversation.
  /// - Parameter position: the position at which it opens.
  package func makeChat(_ conversationId: String, at position: WindowPosition<String>)
    -> ChatViewModel
  {
    ChatViewModel(conversationId, at: position, syncManager, images: images, makeID: makeID)
  }
}
