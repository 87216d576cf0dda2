import OffshoreWire

/// A message in transit.
struct Envelope {
  /// The message itself.
  enum Content {
    case push(PushRequest)
    case pull(PullRequest)
    case pushed(PushRequest, PushResponse)
    case pulled(PullRequest, PullResponse)
    /// The server's error in place of an answer.
    case problem(WireProblem)
  }

  /// The number that identifies the message in a trace.
  let number: Int
  /// The place of the device that sent the request.
  let device: Int
  /// The number of that device's starts at that time.
  let start: Int
  /// The time on its clock when it sent the request.
  let sent: Int64
  var content: Content
  /// For an answer to a pull: the number of buried texts, and of restores, when it was sent.
  var buried = 0
  var epochs = 0

  /// Whether the message goes to the device.
  var isAnswer: Bool {
    switch content {
    case .push, .pull: false
    case .pushed, .pulled, .problem: true
    }
  }

  var name: String {
    switch content {
    case .push(let request): "push #\(number) of \(request.batches.count) batches"
    case .pull(let request): "pull #\(number) of \(request.cursors.count) scopes"
    case .pushed: "answer to push #\(number)"
    case .pulled: "answer to pull #\(number)"
    case .problem: "problem with #\(number)"
    }
  }
}
