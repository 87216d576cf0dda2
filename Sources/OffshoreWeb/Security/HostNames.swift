import OffshoreHTTP

/// The names by which clients address a server, without ports.
///
/// Otherwise a page of another site whose name is changed to resolve to this machine would have the
/// same origin as the server ([DNS rebinding](https://en.wikipedia.org/wiki/DNS_rebinding)).
struct HostNames: Sendable {
  private let names: Set<String>

  /// Creates names, in any case.
  /// - Parameter names: names and addresses without a port; an IPv6 address is in brackets.
  init(_ names: Set<String>) { self.names = Set(names.map { $0.lowercased() }) }

  /// Checks that a request is for one of the names.
  /// - Throws: `HTTPError` with 403 if it is for another host, for several, or for none.
  func check(_ request: Request) throws(HTTPError) {
    let hosts = request.headers.all("Host")
    guard hosts.count == 1, let host = Authority(hosts[0]), names.contains(host.name) else {
      throw HTTPError(.forbidden, "This device is not known by that name.")
    }
  }
}

/// A host and a port (<https://www.rfc-editor.org/rfc/rfc3986#section-3.2>).
struct Authority: Equatable {
  /// The name in lower case without a final dot, or the address, which is in brackets for IPv6.
  let name: String
  let port: Int?

  /// Parses `name`, `name:port`, `[address]`, or `[address]:port`.
  init?(_ text: String) {
    let text = text.lowercased()
    let end =
      if text.hasPrefix("[") { text.firstIndex(of: "]").map { text.index(after: $0) } } else {
        text.firstIndex(of: ":") ?? text.endIndex
      }
    guard let end else { return nil }
    var name = text[..<end]
    if name.hasSuffix(".") { name.removeLast() }
    let rest = text[end...]
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isPlain) else { return nil }
    self.name = String(name)
    if rest.isEmpty {
      port = nil
    } else {
      let digits = rest.dropFirst()
      guard rest.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
        let port = UInt16(digits)
      else { return nil }
      self.port = Int(port)
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._[]:".utf8.contains(byte)
    }
  }
}
