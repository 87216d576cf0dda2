import OffshoreWire

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
