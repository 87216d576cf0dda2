package import Foundation

/// The parts of an address that identify a server.
extension URL {
  /// The scheme, host and port, which identify a server
  /// (<https://www.rfc-editor.org/rfc/rfc6454#section-6.2>).
  package var origin: String {
    let (scheme, host) = ((scheme ?? "").lowercased(), (host() ?? "").lowercased())
    let usual = ["http": 80, "https": 443][scheme]
    let port = port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)"
  }

  /// The origin and the path, which identify one of several servers with the same origin.
  package var serverAddress: String {
    let path = path(percentEncoded: true).split(separator: "/").map { "/\($0)" }.joined()
    return origin + path
  }

  /// Returns whether an account belongs to this server. Earlier versions stored only the server's
  /// origin.
  package func isServer(of account: LinkedAccount) -> Bool {
    [serverAddress, origin].contains(account.server)
  }

  /// Whether the server is on this machine, so that requests do not go through a network.
  package var isLoopback: Bool {
    guard let host = host()?.lowercased().trimmingCharacters(in: ["[", "]"]) else { return false }
    if host == "localhost" || host == "::1" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
  }

  /// Returns the address with a further component of its path, which may contain a slash.
  func appendingComponent(_ component: String) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
      let encoded = component.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    else { return self }
    parts.percentEncodedPath += "/" + encoded
    return parts.url ?? self
  }

  /// Returns the address with query items.
  ///
  /// NB: A server parses a `+` in a query as a space
  /// (<https://url.spec.whatwg.org/#urlencoded-parsing>).
  func appendingQuery(_ query: [URLQueryItem]) -> URL {
    guard !query.isEmpty, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return self
    }
    parts.queryItems = query
    parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
    return parts.url ?? self
  }
}
