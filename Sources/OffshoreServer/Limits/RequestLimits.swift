/// How often addresses and accounts may ask.
struct RequestLimits: Sendable {
  /// Signing in and up, by network.
  let addresses = RateLimiter(RateLimiter.Rate(burst: 20, every: 3_000))
  /// Signing in, by name and network, so that nobody is locked out by a stranger elsewhere.
  let names = RateLimiter(RateLimiter.Rate(burst: 10, every: 6_000))
  /// Signing in, by name alone: who guesses from many networks at once finds an end too.
  let namesAnywhere = RateLimiter(RateLimiter.Rate(burst: 500, every: 2_000))
  /// Tokens that let nobody in, by network.
  let failures = RateLimiter(RateLimiter.Rate(burst: 100, every: 1_000))
  /// Anything else, by account.
  let requests = RateLimiter(RateLimiter.Rate(burst: 2_000, every: 5))
}
