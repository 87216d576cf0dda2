extension Response {
  /// The bytes of a response after which the connection ends, for where the library cannot send it.
  ///
  /// A body that is not in memory is left out: nobody waits until all of it would be sent.
  var serialized: [UInt8] {
    var text = "HTTP/1.1 \(status.rawValue) \r\nConnection: close\r\n"
    for (name, value) in headers.fields where Headers.isToken(name) && !Headers.isOurs(name) {
      text += "\(name): \(value)\r\n"
    }
    let content: [UInt8] = if case .bytes(let bytes) = body { bytes } else { [] }
    return Array("\(text)Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }

  /// Tells the channel, where there is one, that nobody will read from it.
  func disconnect() { if case .events(let channel) = body { channel.disconnect() } }
}
