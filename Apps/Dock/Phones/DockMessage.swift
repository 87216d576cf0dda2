import Foundation

/// What the dock tells a phone that it runs, a line of JSON each on its standard input. At the end of
/// the input, a phone stops.
enum DockMessage: Codable, Equatable {
  /// How to start; always the first.
  case start(PhoneSettings)
  /// Whether the phone is to make no request.
  case airplane(Bool)
}

/// How a phone of the dock starts.
struct PhoneSettings: Codable, Equatable {
  /// The port for its pages, 0 for any.
  var port: UInt16
  /// Where the server is that it syncs with.
  var server: URL
  /// The origin of the page that frames it.
  var dock: String
  /// Whom it signs in as, and up where nobody has.
  var account: String
  var password: String
  /// Whether it makes something to show where there is nothing.
  var hasSample: Bool
}

/// What a phone tells the dock, a line of JSON each on its standard output.
enum PhoneMessage: Codable, Equatable {
  /// It serves its pages; the address lets a browser in.
  case ready(address: String)
  /// How syncing stands.
  case status(PhoneStatus)
  /// What keeps it from syncing, in a sentence to show.
  case problem(String)
}

/// How a phone's syncing stands.
struct PhoneStatus: Codable, Equatable {
  /// Whether it is switched off.
  var isAirplane = false
  /// Whether the server is reached.
  var isOnline = false
  /// How many changes wait to be sent, as the phone's own pages say.
  var pending = 0
}

/// Lines of JSON through pipes.
enum MessageLines {
  static func encoded(_ message: some Encodable) throws -> Data {
    var line = try JSONEncoder().encode(message)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// The messages that come through a file, to its end. What is no message is left out.
  static func messages<Message: Decodable & Sendable>(
    _: Message.Type, from file: FileHandle
  ) -> AsyncStream<Message> {
    let (messages, continuation) = AsyncStream.makeStream(of: Message.self)
    // A read waits for the other process, so it has a thread of its own.
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
