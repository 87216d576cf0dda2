import Foundation
import Offshore
import OffshoreSync

/// The changes of messages inside one write.
struct MessageSaving {
  let writer: Writer
  let store: SyncedStore
  let derived: DerivedColumns
  private let isLinked: Bool
  /// The current time, by the server's clock as far as it is known.
  let now: Date

  init(_ writer: Writer, _ store: SyncedStore) throws {
    self.writer = writer
    self.store = store
    derived = try DerivedColumns(writer)
    isLinked = try SyncedStore.isLinked(writer)
    now = try SyncedStore.serverTime(at: store.now(), writer)
  }

  // MARK: - Saving

  /// Inserts messages, or updates those that exist.
  /// - Parameter isSynced: whether they count as the server's, so that they are not sent.
  /// - Throws: ``Message/Problem``; `ReplicaError` with the code `forbidden` if the user may not write
  ///   in a conversation; `DatabaseError`.
  func save(_ messages: [Message], isSynced: Bool) throws {
    for message in messages { try message.check() }
    let joined = try joinedTimes(of: messages, isSynced: isSynced)
    let (stored, damaged) = try self.stored(messages.map(\.id))
    var (known, fresh) = (stored, [MessageRow]())
    var places: [String: Int] = [:]
    var former: [String: MessageRow] = [:]
    for message in messages {
      if let row = known[message.id] {
        former[message.id] = former[message.id] ?? row
        known[message.id] = merge(message, into: row, isSynced: isSynced)
      } else if let place = places[message.id] {
        fresh[place] = merge(message, into: fresh[place], isSynced: isSynced)
      } else {
        places[message.id] = fresh.count
        fresh.append(row(of: message, isSynced: isSynced, joined[message.conversationId]))
      }
    }
    try capturing(!isSynced) {
      try MessageRow.insert(contentsOf: fresh.filter { !damaged.contains($0.id) }, writer)
      for row in fresh where damaged.contains(row.id) { try row.save(writer) }
      for (id, row) in former { try row.update(changing: known[id] ?? row, writer) }
    }
    // The progress of a new message follows from nothing but its own values.
    try derived.updateMessages(Set(former.keys), readsQueue: !isSynced)
    try derived.summarize(Set(fresh.map(\.conversationId)))
  }

  /// Inserts the message of a form, which may be posted more than once.
  ///
  /// If the message is stored under its id, nothing changes. If another one is, as after a form was posted again
  /// with other contents, the message gets a spare id: a message that was sent is never replaced.
  func insert(_ message: Message, thumbnailURL: String?, spareID: String) throws {
    var message = message
    let stored = try MessageRow.find(message.id).readable(writer)
    if let row = stored.rows.first, row.message.hasContent(of: message) { return }
    if stored.count > 0 { message = message.copy(id: spareID) }
    try save([message], isSynced: false)
    guard let thumbnailURL else { return }
    try MessageRow.find(message.id).update(writer) { [$0.thumbnailURL.set(thumbnailURL)] }
  }

  private func row(of message: Message, isSynced: Bool, _ joinedAt: Date?) -> MessageRow {
    var row = MessageRow(message, isSynced: isSynced)
    row.setPlace(QueuePlace(isSynced: isSynced, row.status))
    if row.status == .read { row.readAt = row.readAt ?? now }
    if row.status == .read || row.status == .delivered {
      row.deliveredAt = row.deliveredAt ?? row.readAt ?? now
    }
    row.isUnread =
      row.senderId != derived.userID && row.status != .read
      && row.sentAt >= joinedAt ?? .distantPast
    return row
  }

  /// Returns a stored message with the values of a newer one. Its time stays, and its status only moves
  /// forward.
  private func merge(_ message: Message, into row: MessageRow, isSynced: Bool) -> MessageRow {
    var new = row
    (new.text, new.imageURL, new.replyToId) = (message.text, message.imageURL, message.replyToId)
    if new.imageURL != row.imageURL { new.thumbnailURL = nil }
    new.deliveredAt = new.deliveredAt ?? message.deliveredAt
    new.readAt = new.readAt ?? message.readAt
    new.advance(to: message.status, at: now)
    let place = QueuePlace(isSynced: isSynced, new.status)
    new.setPlace(
      place, attempts: isSynced ? 0 : row.syncAttempts, error: isSynced ? nil : row.lastSyncError)
    return new
  }

  /// Returns the stored messages, and the ids of those that cannot be read.
  func stored(_ ids: [String]) throws -> ([String: MessageRow], damaged: Set<String>) {
    var (rows, damaged): ([String: MessageRow], Set<String>) = ([:], [])
    for start in stride(from: 0, to: ids.count, by: 500) {
      let part = Array(ids[start..<min(start + 500, ids.count)])
      let found = try MessageRow.where({ $0.id.in(part) }).readable(writer)
      for row in found.rows { rows[row.id] = row }
      damaged.formUnion(found.unreadable.flatMap { $0.rowKey.map(\.plainText) })
    }
    return (rows, damaged)
  }

  /// Returns the times at which the user has joined the conversations of messages, as far as they are known.
  ///
  /// For each missing conversation it inserts a row that stands for it and is not sent.
  private func joinedTimes(of messages: [Message], isSynced: Bool) throws -> [String: Date] {
    var times: [String: Date] = [:]
    var known: Set<String> = []
    for message in messages where known.insert(message.conversationId).inserted {
      let query = ConversationRow.find(message.conversationId)
      guard try query.exists(writer) else {
        try capturing(false) { try ConversationRow(standingFor: message).insert(writer) }
        continue
      }
      times[message.conversationId] = try query.readable(writer).rows.first?.joinedAt
      if !isSynced { try checkMayWrite(in: message.conversationId) }
    }
    return times
  }

  /// Runs a closure whose changes are captured and sent, or are not.
  func capturing<Result>(_ isCaptured: Bool, _ body: () throws -> Result) throws -> Result {
    isCaptured ? try body() : try SyncedStore.uncaptured(writer, body)
  }

  private func checkMayWrite(in conversationId: String) throws {
    guard let scope = ScopeID.conversation(conversationId) else { return }
    try store.checkMayEdit(scope, writer)
  }

  // MARK: - Single messages

  /// Returns a stored message.
  /// - Throws: ``PersistenceError/messageNotFound``; `DatabaseError`, also if it cannot be read.
  func message(_ id: String) throws -> MessageRow {
    guard let row = try MessageRow.find(id).first(writer) else {
      throw PersistenceError.messageNotFound
    }
    return row
  }

  /// Changes the columns of a message, but not its summary.
  func change(_ id: String, _ body: (inout MessageRow) -> Void) throws {
    let row = try message(id)
    var new = row
    body(&new)
    try row.update(changing: new, writer)
  }

  /// Moves a message forward. Of another member's message it is also the receipt of the user.
  func setStatus(_ status: MessageStatus, of id: String) throws {
    let row = try message(id)
    let isReceipt = row.senderId != derived.userID && (status == .delivered || status == .read)
    if isReceipt { try addReceipt(status == .read ? .read : .delivered, of: row) }
    // The server tells the members, and their receipts decide.
    if isReceipt, isLinked { return try derived.updateMessages([id], readsQueue: false) }
    var new = row
    new.advance(to: status, at: now)
    if new.status != row.status {
      let isSynced = new.isSynced || new.status.rank > MessageStatus.sending.rank
      let place = QueuePlace(isSynced: isSynced, new.status)
      new.setPlace(
        place, attempts: place == .held ? row.syncAttempts : 0,
        error: place == .held ? row.lastSyncError : nil)
    }
    if new.status == .read { new.isUnread = false }
    try row.update(changing: new, writer)
    try derived.summarize([row.conversationId])
  }

  /// Stores a receipt of the user for a message of another member.
  ///
  /// A member who may not write, for example after leaving, has the receipt on this device alone, and so does
  /// the reader of a provisional conversation: a receipt that was sent would claim its scope.
  func addReceipt(_ state: ReceiptState, of row: MessageRow) throws {
    let receipt = ReceiptRow(
      for: row.id, in: row.conversationId, by: derived.userID, state, at: now)
    guard try !sendsReceipts(of: row.conversationId) else {
      try sendHeld(HeldReceipt.find(receipt.id))
      return try receipt.advance(writer)
    }
    let isNew = try !ReceiptRow.find(receipt.id).exists(writer)
    try capturing(false) { try receipt.advance(writer) }
    if try !HeldReceipt.find(receipt.id).exists(writer) {
      try HeldReceipt(
        id: receipt.id, conversationId: row.conversationId, isNew: isNew
      ).insert(writer)
    }
  }

  /// Sends the receipts of conversations that were on this device alone, if the user may write there now.
  func sendHeldReceipts(of conversations: [String]) throws {
    for id in conversations where try sendsReceipts(of: id) {
      try sendHeld(HeldReceipt.where { $0.conversationId == id })
    }
  }

  /// Makes the changes of receipts again, and captures them.
  private func sendHeld(_ held: Query<HeldReceipt>) throws {
    for held in try held.all(writer) {
      let query = ReceiptRow.find(held.id)
      try HeldReceipt.find(held.id).delete(writer)
      guard let receipt = try query.readable(writer).rows.first else { continue }
      guard held.isNew else {
        try capturing(false) {
          _ = try query.update(writer) { [$0.state.set(.delivered), $0.readAt.set(nil)] }
        }
        try receipt.advance(writer)
        continue
      }
      try capturing(false) { _ = try query.delete(writer) }
      try receipt.insert(writer)
    }
  }

  private func sendsReceipts(of conversationId: String) throws -> Bool {
    let scope = ScopeID.conversation(conversationId)
    let role = try scope.flatMap { try store.role(in: $0, writer) }
    let isProvisional = try ConversationRow.find(conversationId).where { $0.isProvisional }
      .exists(writer)
    return !isProvisional && role?.canWrite != false
  }

  /// Replaces the text of a message in a file without an account, and lets it wait.
  /// - Returns: `false` in the file of an account, in which nothing has changed.
  func editLocally(_ id: String, _ text: String) throws -> Bool {
    guard !isLinked else { return false }
    try change(id) { row in
      row.text = text
      row.move(to: .waiting)
    }
    try derived.summarize([message(id).conversationId])
    return true
  }

  /// Counts messages that cannot be read as read.
  func setRead(_ ids: Set<String>) throws {
    for id in ids {
      try MessageRow.find(id).update(writer) { [$0.isUnread.set(false)] }
      let conversation = try SQL(
        "SELECT CAST(conversationId AS TEXT) FROM messages WHERE id = \(id)"
      )
      .first(writer, as: String.self)
      if let conversation { try derived.summarize([conversation]) }
    }
  }

  /// Deletes a message of the user for all members, and another one on this device.
  /// - Returns: whether it was deleted for all.
  func delete(_ id: String) throws -> Bool {
    let facts = try SQL(
      """
      SELECT CAST(conversationId AS TEXT), CAST(senderId AS TEXT) FROM messages WHERE id = \(id)
      """
    ).first(writer, as: String.self, String.self)
    guard let (conversationId, senderId) = facts else { throw PersistenceError.messageNotFound }
    guard senderId == derived.userID else {
      try MessageRow.find(id).update(writer) { [$0.isHidden.set(true), $0.isUnread.set(false)] }
      try derived.summarize([conversationId])
      return false
    }
    try checkMayWrite(in: conversationId)
    try MessageRow.find(id).delete(writer)
    return true
  }

  /// Shows a message again that was deleted on this device.
  func restore(_ id: String) throws {
    let count = try MessageRow.find(id).update(writer) { [$0.isHidden.set(false)] }
    guard count > 0 else { throw PersistenceError.messageNotFound }
    try derived.updateMessages([id], readsQueue: false)
  }
}

extension Message {
  /// Returns whether a message has the conversation, the author, the text, the image and the reply of another one.
  fileprivate func hasContent(of other: Message) -> Bool {
    (conversationId, senderId, text) == (other.conversationId, other.senderId, other.text)
      && (imageURL, replyToId) == (other.imageURL, other.replyToId)
  }

  fileprivate func copy(id: String) -> Message {
    Message(
      id: id, conversationId: conversationId, senderId: senderId, text: text, imageURL: imageURL,
      sentAt: sentAt, deliveredAt: deliveredAt, readAt: readAt, status: status,
      replyToId: replyToId)
  }
}

extension MessageRow {
  /// Moves the message forward, or does nothing if that would be backward.
  mutating func advance(to next: MessageStatus, at date: Date) {
    guard status.canBecome(next) else { return }
    status = next
    if next == .read { readAt = readAt ?? date }
    if next == .delivered || next == .read { deliveredAt = deliveredAt ?? readAt ?? date }
  }
}
