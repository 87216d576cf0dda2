import Foundation
import Observation
package import OffshorePresentation
import OffshoreSync

/// An action on a message that a screen can offer.
package enum MessageAction: Hashable, Sendable {
  /// A refused message is sent again without delay.
  case retry
  /// A message that the server does not have gets another text.
  case edit
  /// A message that the server does not have is removed, and never sent.
  case cancel
  /// A message of the user that the server has, or may have, is deleted for all members.
  case deleteForAll
  /// A message of another member is deleted on this device.
  case deleteHere
}

extension MessageAction {
  /// Returns the actions that are possible on a message.
  /// - Parameters:
  ///   - isOwn: whether the user wrote it.
  ///   - state: its state in the queue; `nil` if the server lacks nothing of it, and without an account.
  ///   - canWrite: whether the role of the user allows to write in the conversation.
  static func all(
    on row: MessageRow, isOwn: Bool, _ state: SendingState?, canWrite: Bool
  ) -> Set<MessageAction> {
    guard isOwn else { return [.deleteHere] }
    // NB: A message of which the server lacks only the image, or a later text, is at the server.
    let isUnsent = !row.isSynced && row.status.rank == MessageStatus.sending.rank
    var actions: Set<MessageAction> = []
    if isUnsent, state?.mayHaveLeft != true {
      actions.insert(.cancel)
      if canWrite { actions.insert(.edit) }
    } else if canWrite {
      actions.insert(.deleteForAll)
    }
    if canWrite, row.status == .failed || state?.nextTry != nil { actions.insert(.retry) }
    return actions
  }
}

/// An edit of a message that was not stored, because its text is not allowed.
package struct RefusedEdit: Equatable, Sendable {
  package let messageId: String
  /// The text, as the user has typed it.
  package let text: String
  package let error: AppError
}

/// The failure of an action on a message.
package struct MessageFailure: Sendable {
  package let messageId: String
  /// The error as it was thrown, with its own sentence.
  package let cause: any Error
  package var error: AppError { cause.asAppError }
}

/// The actions on single messages of a screen, and the reason why the latest one failed.
@MainActor @Observable
package final class MessageActions {
  /// The failure of the latest action, or `nil`.
  package private(set) var failure: MessageFailure?
  /// The latest edit of a message, if its text is not allowed.
  package private(set) var refusedEdit: RefusedEdit?
  /// The id of the message of the latest deletion, if that was on this device alone.
  package private(set) var hiddenID: String?

  @ObservationIgnored private let syncManager: SyncManager
  @ObservationIgnored private let refresh: @MainActor () async -> Void

  /// Creates the actions of a screen.
  /// - Parameter refresh: reads the screen again after an action.
  init(_ syncManager: SyncManager, refresh: @escaping @MainActor () async -> Void) {
    (self.syncManager, self.refresh) = (syncManager, refresh)
  }

  /// Deletes a message: one of the user for all members, another one on this device.
  /// - Returns: `false` if it failed, with the reason in ``failure``.
  @discardableResult
  package func delete(_ id: String) async -> Bool {
    await perform(id) {
      if try await !syncManager.localDataManager.removeMessage(id: id) { hiddenID = id }
    }
  }

  /// Sends a refused message again.
  /// - Returns: `false` if it failed, with the reason in ``failure``.
  @discardableResult
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

  /// Replaces the text of a message that has not left this device.
  /// - Returns: `false` if it failed, with the reason in ``refusedEdit`` or ``failure``.
  package func edit(_ id: String, to text: String) async -> Bool {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let isDone = await perform(id) { try await syncManager.edit(messageId: id, text: trimmed) }
    if let error = failure?.error, case .validation = error {
      refusedEdit = RefusedEdit(messageId: id, text: text, error: error)
      failure = nil
    }
    return isDone
  }

  private func perform(_ id: String, _ body: () async throws -> Void) async -> Bool {
    (failure, refusedEdit, hiddenID) = (nil, nil, nil)
    do {
      try await body()
      await refresh()
      return true
    } catch {
      failure = MessageFailure(messageId: id, cause: error)
      return false
    }
  }
}
