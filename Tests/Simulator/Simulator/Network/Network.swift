import OffshoreWire

/// Messages in transit, which are delivered in any order, once, twice or never.
struct Network {
  private(set) var waiting: [Envelope] = []
  /// The places of devices without a connection.
  var cutOff: Set<Int> = []
  private var sent = 0

  mutating func nextNumber() -> Int {
    sent += 1
    return sent
  }

  mutating func send(_ envelope: Envelope) { waiting.append(envelope) }

  /// The indices in ``waiting`` of the messages that can be delivered now.
  var deliverable: [Int] { waiting.indices.filter { !cutOff.contains(waiting[$0].device) } }

  mutating func take(_ place: Int) -> Envelope { waiting.remove(at: place) }

  /// Discards the messages to and from a device.
  mutating func forget(_ device: Int) { waiting.removeAll { $0.device == device } }

  mutating func forgetAll() { waiting = [] }

  /// Whether messages of a device are in transit.
  func isStalled(_ device: Int) -> Bool { waiting.contains { $0.device == device } }
}

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

extension Envelope.Content {
  /// Returns the message after encoding and decoding.
  /// - Throws: `Violation` if the decoded message differs or cannot be decoded.
  func throughBytes() throws -> Envelope.Content {
    switch self {
    case .push(let request): .push(try again(request))
    case .pull(let request): .pull(try again(request))
    case .pushed(let request, let response): .pushed(request, try again(response))
    case .pulled(let request, let response): .pulled(request, try again(response))
    case .problem(let problem): .problem(try again(problem))
    }
  }

  private func again<Message: WireMessage & Equatable>(_ message: Message) throws -> Message {
    do {
      let copy = try Message(body: message.body)
      if copy == message { return copy }
      throw Violation(.messages, "A \(Message.kind) is not read as it was written.")
    } catch let error as WireError {
      throw Violation(.messages, "A \(Message.kind) cannot be read: \(error)")
    }
  }

  /// Decodes a truncated message, which must fail.
  /// - Parameter share: The percentage of the bytes that remain.
  /// - Throws: `Violation` if the message is decoded.
  func checkCut(to share: Int) throws {
    let isRead =
      switch self {
      case .push(let message): Self.isRead(message, share)
      case .pull(let message): Self.isRead(message, share)
      case .pushed(_, let message): Self.isRead(message, share)
      case .pulled(_, let message): Self.isRead(message, share)
      case .problem(let message): Self.isRead(message, share)
      }
    if isRead { throw Violation(.messages, "A message that was cut off is read all the same.") }
  }

  private static func isRead<Message: WireMessage>(_ message: Message, _ share: Int) -> Bool {
    let body = message.body
    return (try? Message(body: Array(body.prefix(body.count * share / 100)))) != nil
  }
}
