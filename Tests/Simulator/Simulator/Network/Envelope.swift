import OffshoreWire

/// A message on its way.
struct Envelope {
  /// What is on its way.
  enum Content {
    case push(PushRequest)
    case pull(PullRequest)
    case pushed(PushRequest, PushResponse)
    case pulled(PullRequest, PullResponse)
    /// The server's word that it does not answer.
    case problem(WireProblem)
  }

  /// Tells the message apart in a trace.
  let number: Int
  /// The place of the device that sent the request.
  let device: Int
  /// How often that device had been started when it did.
  let start: Int
  /// What its clock showed then.
  let sent: Int64
  var content: Content
  /// Of an answer to a pull, how many texts had been buried, and how often the data been restored.
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
