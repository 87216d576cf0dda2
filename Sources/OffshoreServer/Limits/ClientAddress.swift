import OffshoreHTTP

/// The origin of a request, as far as it can be trusted.
struct ClientAddress: Hashable, Sendable {
  /// The network of the client, by which limits are counted.
  let network: String
  /// Whether the request comes from this machine and not through a proxy.
  ///
  /// NB: A proxy on this machine that sets no header field for its clients is recognized only if it
  /// is trusted.
  let isLocal: Bool

  /// Determines the address of the client, behind the trusted proxies.
  ///
  /// Each proxy appends the address of its own client to `X-Forwarded-For`. So the last address
  /// that is not a trusted proxy's counts. The client may have invented all addresses before it.
  init(_ request: Request, trustedProxies: [AddressRange]) {
    let isForwarded = ["X-Forwarded-For", "Forwarded"].contains { request.headers[$0] != nil }
    guard var address = IPAddress(request.remoteAddress) else {
      (network, isLocal) = ("", false)
      return
    }
    func isTrusted(_ address: IPAddress) -> Bool {
      trustedProxies.contains { $0.contains(address) }
    }
    isLocal = address.isLoopback && !isForwarded && !isTrusted(address)
    for hop in request.headers.list("X-Forwarded-For").reversed() {
      guard isTrusted(address), let next = IPAddress(hop) else { break }
      address = next
    }
    network = address.network
  }
}
