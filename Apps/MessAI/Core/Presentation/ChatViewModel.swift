public import Foundation
public import Observation
import Offshore
import OffshoreImages
public import OffshorePresentation
import OffshoreSync

/// The model of a conversation: its messages around a place, and the draft.
@MainActor @Observable
public final class ChatViewModel {
  /// A field of the form in which a message is written.
  package enum Field: Hashable, Sendable {
    case text
    case image
  }

  public let conversationId: String
  /// The conversation with its members. The state is the error `database(.notFound)` while it is not on
  /// this device.
  public let conversation: Live<ConversationEntry>
  /// The messages around the place to which the user has scrolled.
  public let window: PagedWindow<ChatEntry>
  /// The text that is being written.
  package let draft: KeptText
  /// The reasons why the latest message was not sent, by field.
  package private(set) var errors: [Field: AppError] = [:]
  /// The id of the next message, so that a form that is sent twice makes one message.
  package private(set) var nextID: UUID
  /// The message that the next one answers, or `nil`.
  package private(set) var repliedEntry: ChatEntry?
  /// Whether the user has just chosen a message to answer, or none, and now writes the text.
  package private(set) var isAnswering = false
  /// The text for the field: that of a message that was refused, or else the draft.
  package var typedText: String { refusedText ?? draft.text }
  private var refusedText: String?
  /// The error of the latest action on a message, or `nil`.
  package private(set) var failure: AppError?
  /// The latest edit of a message, if its text is not allowed.
  package private(set) var refusedEdit: RefusedEdit?
  /// The id of the message of the latest deletion, if that was on this device alone.
  package private(set) var hiddenID: String?
  /// The messages that cannot be read.
  package private(set) var unreadable: [AppError] = []

  @ObservationIgnored private let syncManager: SyncManager
  @ObservationIgnored private let images: MessageImages
  @ObservationIgnored private let makeID: () -> UUID

  private var manager: LocalDataManager { syncManager.localDataManager }

  /// Creates a model. Nothing is read before ``load()``.
  /// - Parameter position: the position at which the window opens.
  public init(
    _ conversationId: String, at position: WindowPosition<String> = .end,
    _ syncManager: SyncManager,
    images: MessageImages, makeID: @escaping () -> UUID = { UUID() }
  ) {
    self.conversationId = conversationId
    self.syncManager = syncManager
    self.images = images
    self.makeID = makeID
    nextID = makeID()
    let manager = syncManager.localDataManager
    conversation = Live(required: { manager.conversation(conversationId) })
    draft = KeptText(Self.draftKey(conversationId), in: manager.store)
    let receiver = ErrorReceiver()
    window = PagedWindow(at: position) {
      await manager.messageChanges().running()
    } before: { entry, size in
      let page = try await manager.entries(in: conversationId, before: entry, limit: size)
      receiver.receive(page.unreadable.map(\.asAppError))
      return page.rows
    } after: { entry, size in
      let page = try await manager.entries(in: conversationId, after: entry, limit: size)
      receiver.receive(page.unreadable.map(\.asAppError))
      return page.rows
    } row: { id in
      try await manager.entry(id, in: conversationId)
    }
    receiver.receive = { [weak self] in self?.note($0) }
  }

  /// Reads the conversation, the messages and the draft, and observes them from then on.
  public func load() async throws {
    try await conversation.loadRequired()
    await window.load()
    await draft.load()
  }

  private nonisolated static func draftKey(_ conversationId: String) -> String {
    "chat.\(conversationId)"
  }

  /// Whether messages show their authors: in a group, and if others than two people have taken part.
  package var showsAuthors: Bool {
    guard let entry = conversation.state.data, !entry.names.isEmpty else { return false }
    let authors = (window.state.data ?? []).map(\.message.senderId)
    let people = Set(entry.names.keys).union(authors).union([userId])
    return entry.conversation.isGroup || people.count > 2
  }

  /// The user id.
  package var userId: String { syncManager.service?.session.userID.uuidString ?? "" }

  private func note(_ errors: [AppError]) {
    for error in errors where !unreadable.contains(error) { unreadable.append(error) }
  }

  // MARK: - Writing

  /// Sends a message.
  /// - Parameters:
  ///   - id: the id of the message, see ``nextID``; `nil` for a new one.
  ///   - image: the file of an image, or `nil`.
  ///   - replyToId: the id of the message that it answers, or `nil`.
  /// - Returns: `false` if it was not stored, with the reasons in ``errors``.
  package func send(
    _ text: String, id: UUID? = nil, image: [UInt8]? = nil, replyingTo replyToId: String? = nil
  ) async -> Bool {
    errors = [:]
    refusedText = text
    do {
      let attachment = try await add(image)
      let (userID, sentAt) = try await author()
      let message = Message(
        id: (id ?? makeID()).uuidString, conversationId: conversationId,
        senderId: userID.uuidString, text: text.trimmingCharacters(in: .whitespacesAndNewlines),
        imageURL: attachment?.imageURL, sentAt: sentAt, status: .sending, replyToId: replyToId)
      try await syncManager.queue(
        message, thumbnailURL: attachment?.thumbnailURL,
        removingDraft: Self.draftKey(conversationId))
      (refusedText, repliedEntry, isAnswering, nextID) = (nil, nil, false, makeID())
      try await draft.remove()
      await window.canLoadAfter ? window.show(.end) : window.refresh()
      return true
    } catch let error as ImageError {
      errors[.image] = error.asAppError
    } catch {
      errors[.text] = Self.reason(error)
    }
    return false
  }

  private func add(_ image: [UInt8]?) async throws -> MessageImages.Attachment? {
    guard let image else { return nil }
    return try await images.add(image)
  }

  private func author() async throws -> (UUID, Date) {
    try await manager.store.read { [now = manager.store.now()] reader in
      (try SyncedStore.userID(reader), try SyncedStore.serverTime(at: now, reader))
    }
  }

  /// Chooses the message that the next one answers, or none.
  package func reply(to id: String?) async {
    (repliedEntry, isAnswering) = (nil, true)
    if let id { repliedEntry = try? await manager.entry(id, in: conversationId) }
  }

  /// Returns the cause of a failed save, which has the sentence for the user.
  private static func reason(_ error: any Error) -> AppError {
    guard case PersistenceError.saveFailed(let cause) = error else { return error.asAppError }
    return AppError(saving: cause)
  }

  // MARK: - Reading

  /// Records that the user has read the messages that are shown.
  ///
  /// A message from before the user joined is not unread, but its author may wait for a reader.
  package func markRead() async {
    let joinedAt = conversation.state.data?.joinedAt ?? .distantPast
    let read = (window.state.data ?? []).filter { entry in
      entry.isUnread
        || !entry.isOwn && entry.message.sentAt < joinedAt && entry.message.status != .read
    }
    let ids = Set(read.map(\.id))
    guard !ids.isEmpty else { return }
    await perform { try await Receipts(manager: manager).confirmReading(of: ids) }
  }

  // MARK: - Actions on messages

  /// Deletes a message: one of the user for all members, another one on this device.
  /// - Returns: `false` if it failed, with the reason in ``failure``.
  @discardableResult
  package func delete(_ id: String) async -> Bool {
    hiddenID = nil
    return await perform {
      if try await !manager.removeMessage(id: id) { hiddenID = id }
    }
  }

  /// Sends a failed message again.
  /// - Returns: `false` if it failed, with the reason in ``failure``.
  @discardableResult
  package func retry(_ id: String) async -> Bool {
    await perform {
      try await syncManager.retry(messageId: id)
      await syncManager.service?.syncNow()
    }
  }

  /// Removes a message that has not left this device.
  /// - Returns: `false` if it failed, with the reason in ``failure``.
  package func cancel(_ id: String) async -> Bool {
    await perform { try await syncManager.cancel(messageId: id) }
  }

  /// Replaces the text of a message that has not left this device.
  /// - Returns: `false` if it failed, with the reason in ``refusedEdit`` or ``failure``.
  package func edit(_ id: String, to text: String) async -> Bool {
    refusedEdit = nil
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let isDone = await perform { try await syncManager.edit(messageId: id, text: trimmed) }
    if let failure, case .validation = failure {
      refusedEdit = RefusedEdit(messageId: id, text: text, error: failure)
      self.failure = nil
    }
    return isDone
  }

  @discardableResult
  private func perform(_ body: () async throws -> Void) async -> Bool {
    failure = nil
    do {
      try await body()
      await window.refresh()
      return true
    } catch {
      failure = error.asAppError
      return false
    }
  }
}
