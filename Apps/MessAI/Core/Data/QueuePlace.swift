import Foundation

/// The place of a message in the queue, from which `isSynced`, `needsSync`, `syncAttempts` and `lastSyncError` of
/// its row follow.
enum QueuePlace: Equatable {
  /// The server has the message and its image.
  case sent
  /// The message is sent by itself.
  case waiting
  /// The message has failed, and waits for its author.
  case held

  /// Returns the place of a message that is saved with a status.
  init(isSynced: Bool, _ status: MessageStatus) {
    self = isSynced ? .sent : status == .failed ? .held : .waiting
  }
}

extension MessageRow {
  /// The greatest number of attempts, after which a message waits for its author.
  static let attemptLimit = 5

  /// Sets the columns of the queue. The status stays.
  /// - Parameters:
  ///   - attempts: the number of times that the server has refused the message.
  ///   - error: the reason of the last refusal.
  mutating func setPlace(_ place: QueuePlace, attempts: Int = 0, error: String? = nil) {
    (isSynced, needsSync) = (place == .sent, place == .waiting)
    (syncAttempts, lastSyncError) = (attempts, error)
  }

  /// Moves the message to another place in the queue, with the status that follows from it.
  mutating func move(to place: QueuePlace, attempts: Int = 0, error: String? = nil) {
    setPlace(place, attempts: attempts, error: error)
    switch (place, status) {
    case (.sent, .sending), (.sent, .failed): status = .sent
    case (.waiting, .failed): status = .sending
    case (.held, .sending): status = .failed
    default: break
    }
  }

  /// Counts a refusal. After ``attemptLimit`` of them the message waits for its author.
  mutating func addAttempt(error: String?) {
    (syncAttempts, lastSyncError) = (syncAttempts + 1, error)
    guard syncAttempts >= Self.attemptLimit else { return }
    needsSync = false
    if status == .sending { status = .failed }
  }
}
