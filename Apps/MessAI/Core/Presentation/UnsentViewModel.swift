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
  /// The error of the latest action, with the id of its message; `nil` if it succeeded.
  package private(set) var failure: (messageId: String, error: AppError)?
  /// The latest edit of a message, if its text is not allowed.
  package private(set) var refusedEdit: RefusedEdit?

  @ObservationIgnored private let syncManager: SyncManager

  /// Creates a model. Nothing is read before ``load()``.
  public init(_ syncManager: SyncManager) {
    self.syncManager = syncManager
    let manager = syncManager.localDataManager
    entries = Live { manager.store.values { try manager.unsentEntries($0).rows } }
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

  /// Sends a message again.
  /// - Returns: `false` if it failed, with the reason in ``failure``.
  package func retry(_ id: String) async -> Bool {
    await perform(id) {
      try await syncManager.retry(messageId: id)
      await syncManager.service?.syncNow()
    }
  }

  /// Removes a message that has not left this device. It is never sent.
  /// - Returns: `false` if it failed, with the reason in ``failure``.
  package func cancel(_ id: String) async -> Bool {
    await perform(id) { try await syncManager.cancel(messageId: id) }
  }

  /// Replaces the text of a message.
  /// - Returns: `false` if it failed, with the reason in ``refusedEdit`` or ``failure``.
  package func edit(_ id: String, to text: String) async -> Bool {
    refusedEdit = nil
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let isDone = await perform(id) {
      try await syncManager.edit(messageId: id, text: trimmed)
    }
    if let error = failure?.error, case .validation = error {
      refusedEdit = RefusedEdit(messageId: id, text: text, error: error)
      failure = nil
    }
    return isDone
  }

  private func perform(_ id: String, _ body: () async throws -> Void) async -> Bool {
    failure = nil
    do {
      try await body()
      await entries.catchUp()
      return true
    } catch {
      failure = (id, error.asAppError)
      return false
    }
  }
}
