/// The address that a server listens at: a numeric address and a port, such as `127.0.0.1:8080` or
/// `[::1]:8080`.
struct ListenAddress: Equatable, CustomStringConvertible {
  let address: String
  var port: UInt16

  /// Parses an address and a port, without checking that the address is one of this machine.
  /// - Returns: `nil` for any other text.
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

  /// The parsed text.
  var description: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
