/// Where to listen: a numeric address and a port, as `127.0.0.1:8080` or `[::1]:8080`.
struct ListenAddress: Equatable, CustomStringConvertible {
  let address: String
  var port: UInt16

  /// Reads an address with its port; whether it is one of this machine's is found out by listening.
  /// - Returns: `nil` for anything else.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    self.port = port
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      address = String(host.dropFirst().dropLast())
    } else {
      guard !host.contains(":") else { return nil }
      address = String(host)
    }
    guard !address.isEmpty else { return nil }
  }

  /// The text that it is read from.
  var description: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
