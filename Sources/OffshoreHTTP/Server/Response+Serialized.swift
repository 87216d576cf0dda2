extension Response {
  /// The encoded response, with the end of the connection, to be sent without the library.
  ///
  /// A body that is not in memory is left out, because the server does not wait until it is sent.
  var serialized: [UInt8] {
    var text = "HTTP/1.1 \(status.rawValue) \r\nConnection: close\r\n"
    for (name, value) in headers.fields where Headers.isToken(name) && !Headers.isOurs(name) {
      text += "\(name): \(value)\r\n"
    }
    let content: [UInt8] = if case .bytes(let bytes) = body { bytes } else { [] }
    return Array("\(text)Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }

  /// Disconnects the channel of a stream of events, which will not be read.
  func disconnect() { if case .events(let channel) = body { channel.disconnect() } }
}
