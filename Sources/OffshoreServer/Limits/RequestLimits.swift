import Synchronization

/// The rate limits of a server's requests.
final class RequestLimits: Sendable {
  /// Sign-ups and sign-ins, by network.
  private let addresses = RateLimiter(RateLimiter.Rate(burst: 20, every: 3_000))
  /// The same by the first 48 bits of an IPv6 address, which one customer may have as a whole.
  private let sites = RateLimiter(RateLimiter.Rate(burst: 60, every: 1_000))
  /// Password attempts, by name and network, so that a stranger elsewhere cannot lock out the user.
  private let names = RateLimiter(RateLimiter.Rate(burst: 10, every: 6_000))
  /// Password attempts by name alone, against guesses from many networks.
  private let namesAnywhere = RateLimiter(RateLimiter.Rate(burst: 500, every: 2_000))
  /// Codes of invitations, by account: the people who join by one code may share a network.
  let codes = RateLimiter(RateLimiter.Rate(burst: 20, every: 3_000))
  /// Invalid tokens, by network.
  let failures = RateLimiter(RateLimiter.Rate(burst: 100, every: 1_000))
  /// All other requests, by account.
  let requests = RateLimiter(RateLimiter.Rate(burst: 2_000, every: 5))
  /// The names that have signed in, with their networks.
  private let known = Mutex<Set<String>>([])

  /// The most entries of names and networks. Beyond it, they are recorded anew.
  private static let knownLimit = 100_000

  /// Counts a request of a client without an account.
  /// - Throws: `WireProblem` with the code `tooManyRequests`.
  func countRequest(from network: String, at now: Int64) throws {
    try addresses.count(network, at: now)
    guard let site = IPAddress.site(of: network) else { return }
    try sites.count(site, at: now)
  }

  /// Counts an attempt at the password of a name.
  ///
  /// The limit for all networks does not apply to a network from which the name has signed in, so
  /// that guesses from elsewhere do not lock the user out.
  /// - Returns: whether the name has signed in from the network before.
  /// - Throws: `WireProblem` with the code `tooManyRequests`.
  @discardableResult
  func countGuess(of name: String, from network: String, at now: Int64) throws -> Bool {
    try names.count(Self.key(name, network), at: now)
    let isKnown = known.withLock { $0.contains(Self.key(name, network)) }
    if !isKnown { try namesAnywhere.count(name, at: now) }
    return isKnown
  }

  /// Records that a name has signed in from a network.
  func recordSignIn(of name: String, from network: String) {
    known.withLock { known in
      if known.count >= Self.knownLimit { known = [] }
      known.insert(Self.key(name, network))
    }
  }

  private static func key(_ name: String, _ network: String) -> String { "\(name) \(network)" }
}
