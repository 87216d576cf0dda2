import Foundation

/// Messages as lines of JSON in pipes.
enum MessageLines {
  /// Encodes a message as a line.
  /// - Throws: the `EncodingError` of the message.
  static func encoded(_ message: some Encodable) throws -> Data {
    var line = try JSONEncoder().encode(message)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Reads the messages in a file up to its end. Lines that are not messages are ignored.
  static func messages<Message: Decodable & Sendable>(
    _: Message.Type, from file: FileHandle
  ) -> AsyncStream<Message> {
    let (messages, continuation) = AsyncStream.makeStream(of: Message.self)
    // A read blocks until the other process writes, so it runs in its own thread.
    Thread {
      var rest = Data()
      while case let data = file.availableData, !data.isEmpty {
        rest.append(data)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          if let message = try? JSONDecoder().decode(Message.self, from: rest[..<end]) {
            continuation.yield(message)
          }
          rest = Data(rest[rest.index(after: end)...])
        }
      }
      continuation.finish()
    }.start()
    return messages
  }
}
