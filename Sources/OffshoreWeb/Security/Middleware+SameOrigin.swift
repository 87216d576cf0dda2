public import OffshoreHTTP

extension Middleware {
  /// Refuses requests that would change something and come from another site (403).
  ///
  /// Browsers say where a request comes from: `Sec-Fetch-Site` must be `same-origin` or `none`. Where an
  /// older one does not send it, `Origin` must be this host
  /// (<https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header>).
  public static let sameOrigin = Middleware { request, next in
    guard request.method.isSafe || isSameOrigin(request.headers) else {
      throw HTTPError(.forbidden, "This came from another site. Open the page and try there.")
    }
    return try await next(request)
  }

  /// Refuses requests for hosts that are not this device (403).
  ///
  /// A page elsewhere whose name suddenly means this machine would otherwise share its origin with the
  /// device ([DNS rebinding](https://en.wikipedia.org/wiki/DNS_rebinding)).
  ///
  /// - Parameter names: Names and addresses without a port; one of IPv6 in brackets.
  public static func hosts(_ names: Set<String>) -> Middleware {
    let names = Set(names.map { $0.lowercased() })
    return Middleware { request, next in
      let hosts = request.headers.all("Host")
      guard hosts.count == 1, let host = Authority(hosts[0]), names.contains(host.name) else {
        throw HTTPError(.forbidden, "This device is not known by that name.")
      }
      return try await next(request)
    }
  }

  private static func isSameOrigin(_ headers: Headers) -> Bool {
    let sites = headers.all("Sec-Fetch-Site")
    guard sites.isEmpty else { return sites == ["same-origin"] || sites == ["none"] }
    let origins = headers.all("Origin")
    let hosts = headers.all("Host")
    guard origins.count == 1, hosts.count == 1 else { return false }
    for scheme in ["http", "https"] where origins[0].hasPrefix("\(scheme)://") {
      let port = scheme == "http" ? 80 : 443
      guard let origin = Authority(String(origins[0].dropFirst(scheme.count + 3))),
        let host = Authority(hosts[0])
      else { return false }
      return origin.name == host.name && (origin.port ?? port) == (host.port ?? port)
    }
    return false
  }
}

/// A host and a port (<https://www.rfc-editor.org/rfc/rfc3986#section-3.2>).
struct Authority: Equatable {
  /// The name in lower case and without a last dot, or the address; one of IPv6 in brackets.
  let name: String
  let port: Int?

  /// Reads `name`, `name:port`, `[address]`, or `[address]:port`; anything else is no authority.
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
