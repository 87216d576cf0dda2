import Testing

@testable import OffshoreServer

struct RateLimiterTests {
  private let limiter = RateLimiter(RateLimiter.Rate(burst: 3, every: 100), capacity: 2)

  @Test func `A burst is admitted, then one request in each interval`() {
    for _ in 0..<3 { #expect(limiter.consume("a", at: 1_000) == nil) }
    #expect(limiter.consume("a", at: 1_000) == 100)
    #expect(limiter.consume("a", at: 1_060) == 40)
    #expect(limiter.consume("a", at: 1_100) == nil)
    #expect(limiter.consume("a", at: 1_100) == 100)
    for _ in 0..<3 { #expect(limiter.consume("a", at: 1_500) == nil) }
    #expect(limiter.consume("a", at: 1_500) == 100)
  }

  @Test func `Keys are limited independently, and removed once their allowance is full again`() {
    for _ in 0..<3 { #expect(limiter.consume("a", at: 0) == nil) }
    #expect(limiter.consume("b", at: 0) == nil)
    #expect(limiter.consume("c", at: 0) == 100, "There is no room for a third.")
    #expect(limiter.consume("c", at: 100) == nil, "That of the second is full again.")
    #expect(limiter.consume("a", at: 100) == nil)
  }

  @Test func `A clock that was set back delays a client by one interval at most`() {
    for _ in 0..<3 { #expect(limiter.consume("a", at: 1_000_000) == nil) }
    #expect(limiter.consume("a", at: 500) == 100)
    #expect(limiter.consume("a", at: 600) == nil)
  }
}
