import Testing

@testable import OffshoreServer

struct RateLimiterTests {
  private let limiter = RateLimiter(RateLimiter.Rate(burst: 3, every: 100), capacity: 2)

  @Test func `So many at once, then one after each interval`() {
    for _ in 0..<3 { #expect(limiter.take("a", at: 1_000) == nil) }
    #expect(limiter.take("a", at: 1_000) == 100)
    #expect(limiter.take("a", at: 1_060) == 40)
    #expect(limiter.take("a", at: 1_100) == nil)
    #expect(limiter.take("a", at: 1_100) == 100)
    for _ in 0..<3 { #expect(limiter.take("a", at: 1_500) == nil) }
    #expect(limiter.take("a", at: 1_500) == 100)
  }

  @Test func `Keys are counted apart, and forgotten once they are full again`() {
    for _ in 0..<3 { #expect(limiter.take("a", at: 0) == nil) }
    #expect(limiter.take("b", at: 0) == nil)
    #expect(limiter.take("c", at: 0) == 100, "There is no room for a third.")
    #expect(limiter.take("c", at: 100) == nil, "That of the second is full again.")
    #expect(limiter.take("a", at: 100) == nil)
  }

  @Test func `A clock that was set back has nobody wait longer than an interval`() {
    for _ in 0..<3 { #expect(limiter.take("a", at: 1_000_000) == nil) }
    #expect(limiter.take("a", at: 500) == 100)
    #expect(limiter.take("a", at: 600) == nil)
  }
}
