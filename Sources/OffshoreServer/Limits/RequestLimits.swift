/// The rate limits of a server's requests.
struct RequestLimits: Sendable {
  /// Sign-ups, sign-ins and accepted invitations, by network.
  let addresses = RateLimiter(RateLimiter.Rate(burst: 20, every: 3_000))
  /// Password attempts, by name and network, so that a stranger elsewhere cannot lock out the user.
  let names = RateLimiter(RateLimiter.Rate(burst: 10, every: 6_000))
  /// Password attempts by name alone, against guesses from many networks.
  let namesAnywhere = RateLimiter(RateLimiter.Rate(burst: 500, every: 2_000))
  /// Invalid tokens, by network.
  let failures = RateLimiter(RateLimiter.Rate(burst: 100, every: 1_000))
  /// All other requests, by account.
  let requests = RateLimiter(RateLimiter.Rate(burst: 2_000, every: 5))
}
