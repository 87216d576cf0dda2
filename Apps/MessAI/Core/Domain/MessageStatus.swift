/// The progress of a message. It only moves forward, except for a failed one that is sent again.
public enum MessageStatus: String, CaseIterable, Sendable {
  /// It is on its way to the server, also while there is no network.
  case sending
  /// The server has it, and its image.
  case sent
  /// All members have received it.
  case delivered
  /// All members have read it.
  case read
  /// The server has refused it, and it waits for its author.
  case failed
}

extension MessageStatus {
  /// Returns whether a message can move from this status to another one.
  ///
  /// A failed message is sent again, and only a message that is being sent fails.
  package func canBecome(_ next: MessageStatus) -> Bool {
    switch (self, next) {
    case (.sending, .failed), (.failed, .sending): true
    case (.failed, _), (_, .failed): false
    default: rank < next.rank
    }
  }

  /// The place in the order of progress.
  var rank: Int {
    switch self {
    case .failed, .sending: 0
    case .sent: 1
    case .delivered: 2
    case .read: 3
    }
  }
}
