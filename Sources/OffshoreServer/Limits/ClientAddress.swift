import OffshoreHTTP

/// Where a request comes from, as far as that can be believed.
struct ClientAddress: Hashable, Sendable {
  /// What is counted as one client where limits are by address.
  let network: String
  /// Whether it comes from this machine and not through a proxy.
  ///
  /// NB: A proxy on this machine that does not say whom it speaks for is known by being trusted.
  let isLocal: Bool

  /// Looks at who has connected, and where that is a proxy that is trusted, at whom it speaks for.
  ///
  /// Each proxy adds the address that it was reached from to the end of `X-Forwarded-For`. So the last
  /// one that is no trusted proxy's counts, and whatever stands before it anybody can have made up.
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
