package import Foundation

/// What is to be known of the address of a server before anything is given to it.
extension URL {
  /// Scheme, host and port, by which servers are told apart
  /// (<https://www.rfc-editor.org/rfc/rfc6454#section-6.2>).
  package var origin: String {
    let (scheme, host) = ((scheme ?? "").lowercased(), (host() ?? "").lowercased())
    let usual = ["http": 80, "https": 443][scheme]
    let port = port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)"
  }

  /// The origin and the path, by which the servers of several apps are told apart.
  package var serverAddress: String {
    let path = path(percentEncoded: true).split(separator: "/").map { "/\($0)" }.joined()
    return origin + path
  }

  /// Whether an account is of this server. Earlier versions stored the origin of the server alone.
  package func isServer(of account: LinkedAccount) -> Bool {
    [serverAddress, origin].contains(account.server)
  }

  /// Whether it is on this machine, so that what is sent goes through no network.
  package var isLoopback: Bool {
    guard let host = host()?.lowercased().trimmingCharacters(in: ["[", "]"]) else { return false }
    if host == "localhost" || host == "::1" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
  }

  /// The address with what is asked for after it.
  ///
  /// NB: A server reads a `+` there as a form's space (<https://url.spec.whatwg.org/#urlencoded-parsing>).
  func asked(_ query: [URLQueryItem]) -> URL {
    guard !query.isEmpty, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return self
    }
    parts.queryItems = query
    parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
    return parts.url ?? self
  }
}
