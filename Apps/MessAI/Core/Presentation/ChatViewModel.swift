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
  /// The actions on the messages.
  package let actions: MessageActions
  /// The id of the first message that was unread when the conversation was opened, or `nil`.
  package private(set) var firstUnreadID: String?
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
    draft = KeptText(ConversationRow.draftKey(of: conversationId), in: manager.store)
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
    actions = MessageActions(syncManager) { [window] in await window.refresh() }
    receiver.receive = { [weak self] in self?.note($0) }
  }

  /// Reads the conversation, the messages and the draft, and observes them from then on.
  ///
  /// The window opens at its position. Instead of the end that is the first unread message, if there is one.
  public func load() async throws {
    try await conversation.loadRequired()
    if window.state.isIdle {
      firstUnreadID = try await manager.firstUnreadMessage(in: conversationId)
    }
    if let firstUnreadID, window.state.isIdle, window.position == .end {
      await window.show(.near(firstUnreadID))
    } else {
      await window.load()
    }
    await draft.load()
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
      try await syncManager.send(
        message, thumbnailURL: attachment?.thumbnailURL, spareID: makeID().uuidString)
      (refusedText, repliedEntry, isAnswering, nextID) = (nil, nil, false, makeID())
      await draft.clear()
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

  /// Returns whether the user has to see a message for its author to know that it was read.
  ///
  /// A message from before the user joined is not unread, but its author may wait for a reader.
  package func isUnseen(_ entry: ChatEntry) -> Bool {
    guard !entry.isUnread else { return true }
    let joinedAt = conversation.state.data?.joinedAt ?? .distantPast
    return !entry.isOwn && entry.message.sentAt < joinedAt && entry.message.status != .read
  }

  /// Records that the user has read messages.
  /// - Parameter ids: the messages that were in view; by default all of the window.
  /// - Returns: `false` if it could not be stored. The messages are still unread then.
  @discardableResult
  package func markRead(_ ids: Set<String>? = nil) async -> Bool {
    let shown = (window.state.data ?? []).filter { isUnseen($0) }.map(\.id)
    let read = (ids ?? Set(shown)).union(unreadable.compactMap(\.unreadableMessage))
    guard !read.isEmpty else { return true }
    do {
      try await Receipts(manager: manager).confirmReading(of: read, in: conversationId)
      await window.refresh()
      return true
    } catch {
      return false
    }
  }
}

extension AppError {
  /// The id of the message that cannot be read, if that is the error.
  fileprivate var unreadableMessage: String? {
    guard case .database(.unreadable(let place)) = self, place.table == MessageRow.table.name else {
      return nil
    }
    return place.row
  }
}
