import Foundation
public import Observation
import Offshore
public import OffshorePresentation
import OffshoreSync

/// The model of the page with all messages that wait or have failed.
@MainActor @Observable
public final class UnsentViewModel {
  /// The messages that can be read, in order.
  public let entries: Live<[ChatEntry]>
  /// The errors of the messages that cannot be read.
  public let unreadable: Live<[AppError]>
  /// The actions on the messages.
  package let actions: MessageActions

  @ObservationIgnored private let syncManager: SyncManager

  /// Creates a model. Nothing is read before ``load()``.
  public init(_ syncManager: SyncManager) {
    self.syncManager = syncManager
    let manager = syncManager.localDataManager
    entries = Live { manager.store.values { try manager.unsentEntries($0).rows } }
    actions = MessageActions(syncManager) { [entries] in await entries.catchUp() }
    unreadable = Live {
      manager.store.values { reader in
        try MessageRow.unsynced.readable(reader).unreadable.map(\.asAppError)
      }
    }
  }

  /// Reads the messages, and observes them.
  public func load() async {
    async let errors: Void = unreadable.load()
    await entries.load()
    await errors
  }

  /// Sends all failed messages again.
  package func retryAll() async { await syncManager.retryFailedMessages() }
}
