package import Foundation

/// A message from a dock to one of its phones, as a line of JSON on the phone's standard input.
///
/// The phone stops at the end of the input.
enum DockMessage: Codable, Equatable {
  /// The settings to start with; always the first message.
  case start(PhoneSettings)
  /// Whether airplane mode is on from now on.
  case airplane(Bool)
}

/// The settings of a phone at its start.
package struct PhoneSettings: Codable, Equatable, Sendable {
  /// The port of its pages, or 0 for any free one.
  var port: UInt16
  /// The server to sync with.
  var server: URL
  /// The origin of the page that frames the phone's pages.
  var dock: String
  /// The name of the account to sign in to.
  var account: String
  /// The password of all accounts of the dock.
  var password: String
  /// Whether the phone creates sample content if it has none.
  var createsSample: Bool
  /// The names of the apps to whose sample content the phone invites another account.
  var invitingApps: Set<String> = []
  /// The codes of invitations to sample content, by the names of the apps.
  var invitations: [String: String] = [:]

  /// Creates the settings of a phone.
  ///
  /// - Parameters:
  ///   - port: the port of its pages, or 0 for any free one. A restarted phone retains its port.
  ///   - server: the server to sync with.
  ///   - dock: the origin of the page that frames the phone's pages.
  ///   - account: the name of the account to sign in to, which exists on the server. A phone whose
  ///     data belongs to another account of the dock signs in to that one.
  ///   - password: the password of all accounts of the dock.
  ///   - createsSample: whether the phone creates sample content if it has none.
  ///   - invitingApps: the names of the apps to whose sample content the phone invites another account.
  package init(
    port: UInt16 = 0, server: URL, dock: String, account: String, password: String,
    createsSample: Bool, invitingApps: Set<String> = []
  ) {
    self.port = port
    self.server = server
    self.dock = dock
    self.account = account
    self.password = password
    self.createsSample = createsSample
    self.invitingApps = invitingApps
  }
}

/// A message from a phone to its dock, as a line of JSON on the phone's standard output.
enum PhoneMessage: Codable, Equatable {
  /// The phone serves its pages. The address of the first one contains a launch token.
  case ready(address: String)
  /// The phone has created an invitation to the sample content of an app. It is sent before
  /// `ready`.
  case invitation(app: String, code: String)
  /// The phone needs no further invitation to the sample content of an app, because it has joined
  /// or has another account. It is sent before `ready`.
  case joined(app: String)
  /// The state of syncing has changed.
  case status(PhoneStatus)
  /// The facts about the phone's data have changed.
  case facts(PhoneFacts)
  /// A change of another device has arrived.
  case arrival(Arrival)
  /// Syncing failed; the value is a sentence to show.
  case problem(String)
}

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
