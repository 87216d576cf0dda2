import Foundation
import OffshoreWire
import TestSupport

/// An error of a test's client.
struct Unanswered: Error, CustomStringConvertible {
  let description: String
}

/// A request of a client that does as it likes with its connection.
struct Call {
  var method = "GET"
  let path: String
  var token: String?
  var fields: [String: String] = [:]
  var body: [UInt8] = []

  /// Creates a request with a message, compressed if that is asked for.
  static func message(
    _ message: some WireMessage, to path: String, token: String, isCompressed: Bool = false
  ) throws -> Call {
    var call = Call(method: "POST", path: path, token: token, body: message.body)
    call.fields["Content-Type"] = WireProtocol.contentType
    guard isCompressed else { return call }
    guard let body = Gzip.compress(call.body, level: 9) else {
      throw Unanswered(description: "There is no memory for compressing.")
    }
    call.body = body
    call.fields["Content-Encoding"] = "gzip"
    return call
  }

  /// Creates a request with JSON.
  static func json(_ object: [String: String], to path: String) throws -> Call {
    Call(
      method: "POST", path: path, fields: ["Content-Type": "application/json"],
      body: Array(try JSONEncoder().encode(object)))
  }

  /// The bytes of the request up to its body.
  var head: [UInt8] {
    var lines = ["\(method) /\(path) HTTP/1.1", "Host: 127.0.0.1"]
    if let token { lines.append("Authorization: Bearer \(token)") }
    if !body.isEmpty || method != "GET" { lines.append("Content-Length: \(body.count)") }
    lines += fields.map { "\($0): \($1)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Sends the request over a new connection and waits for the answer. Blocks the thread.
  /// - Parameters:
  ///   - port: the server's port.
  ///   - host: the address to connect from.
  ///   - timeout: the seconds without progress after which the call fails.
  func send(
    to port: UInt16, from host: UInt32 = Socket.loopback, timeout: Int = 120
  ) throws -> CallAnswer {
    guard let socket = Socket(to: port, from: host, timeout: timeout) else {
      throw Unanswered(description: "\(path): no connection, \(errno)")
    }
    defer { socket.close() }
    return try send(over: socket)
  }

  /// Sends the request over a connection and waits for the answer. Blocks the thread.
  func send(over socket: Socket) throws -> CallAnswer {
    // A server may answer before it has the whole body.
    _ = socket.write(head + body)
    return try CallAnswer(from: socket, path)
  }
}

/// The answer to a call.
struct CallAnswer {
  let status: Int
  private(set) var body: [UInt8]

  /// Reads an answer whose length is announced, or that ends with its connection.
  init(from socket: Socket, _ path: String) throws {
    var bytes: [UInt8] = []
    var end: Int?
    while end == nil {
      let more = socket.read()
      guard !more.isEmpty else {
        throw Unanswered(description: "\(path): no answer after \(bytes.count) bytes")
      }
      bytes += more
      end = Data(bytes).range(of: Data("\r\n\r\n".utf8))?.upperBound
    }
    let lines = String(decoding: bytes[..<(end ?? 0)], as: UTF8.self).split(separator: "\r\n")
    status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let length = lines.map { $0.lowercased() }.first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    body = Array(bytes[(end ?? 0)...])
    guard status != 204, status != 304 else { return }
    while body.count < length ?? .max {
      let more = socket.read()
      if more.isEmpty, length == nil { break }
      guard !more.isEmpty else {
        throw Unanswered(description: "\(path): \(body.count) of \(length ?? 0) bytes")
      }
      body += more
    }
  }

  /// The text of the body.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// Returns the message of the body.
  func message<Message: WireMessage>(_: Message.Type) throws -> Message {
    guard status == 200 else { throw Unanswered(description: "\(status): \(text)") }
    return try Message(body: body)
  }
}
