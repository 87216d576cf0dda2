import Testing

@testable import OffshoreSync

/// The size of the parts of files.
struct PartSizeTests {
  /// A link with a speed and a latency.
  private struct Link {
    let bytesPerSecond: Int64
    var latency: Int64 = 0

    /// Returns the milliseconds that a part occupies the link.
    func occupation(_ count: Int) -> Int64 { Int64(count) * 1_000 / bytesPerSecond }

    /// Sends parts of the next size.
    /// - Returns: the sizes.
    func send(_ parts: Int, _ size: inout PartSize) -> [Int] {
      (0..<parts).map { _ in
        let count = size.bytes
        size.adapt(count, took: latency + occupation(count))
        return count
      }
    }
  }

  private static let short = PartSize.range.lowerBound

  @Test func `It begins with two short parts, and grows by twice at most`() {
    var size = PartSize()
    let sizes = Link(bytesPerSecond: 1 << 40).send(12, &size)
    #expect(sizes.prefix(2) == [Self.short, Self.short])
    #expect(sizes.dropFirst(2).prefix(3) == [16 << 10, 32 << 10, 64 << 10])
    #expect(sizes.last == 4 << 20)
  }

  @Test(arguments: [Int64(100_000), 256_000, 1_000_000, 10_000_000], [Int64(0), 5, 40, 150])
  func `A part occupies a link of any speed and latency for 50 ms`(speed: Int64, latency: Int64) {
    var size = PartSize()
    let link = Link(bytesPerSecond: speed, latency: latency)
    _ = link.send(40, &size)
    let later = link.send(64, &size)
    #expect(later.allSatisfy { link.occupation($0) <= 51 })
    // All parts except the short ones, of which there are four at the most, carry what they may.
    let usual = later.filter { $0 > Self.short }
    #expect(usual.count >= 60)
    #expect(usual.allSatisfy { link.occupation($0) >= 45 })
  }

  @Test func `On a very slow link all parts are short, and they grow when it becomes faster`() {
    var size = PartSize()
    let slow = Link(bytesPerSecond: 8_000, latency: 200).send(60, &size).suffix(20)
    #expect(slow.allSatisfy { $0 <= 2 * Self.short })
    let fast = Link(bytesPerSecond: 1_000_000, latency: 200)
    _ = fast.send(40, &size)
    #expect(fast.send(2, &size).max().map { fast.occupation($0) >= 45 } == true)
  }

  @Test func `It follows the latency when it rises`() {
    var size = PartSize()
    _ = Link(bytesPerSecond: 1_000_000, latency: 5).send(40, &size)
    let link = Link(bytesPerSecond: 1_000_000, latency: 300)
    _ = link.send(40, &size)
    #expect(link.send(2, &size).max().map { link.occupation($0) >= 45 } == true)
  }

  @Test func `The time of connecting does not count as latency`() {
    var size = PartSize()
    size.adapt(0, took: 5_000)
    let link = Link(bytesPerSecond: 256_000, latency: 20)
    #expect(link.send(20, &size).allSatisfy { link.occupation($0) <= 64 })
  }

  @Test func `It shrinks at once when a fast link becomes slow`() {
    var size = PartSize()
    _ = Link(bytesPerSecond: 1 << 40).send(40, &size)
    let link = Link(bytesPerSecond: 256_000)
    _ = link.send(1, &size)
    #expect(link.occupation(size.bytes) <= 64)
  }

  @Test func `A short last part changes nothing`() {
    var size = PartSize()
    _ = Link(bytesPerSecond: 256_000).send(5, &size)
    let before = size.bytes
    size.adapt(10, took: 5_000)
    #expect(size.bytes == before)
  }

  @Test func `A clock that is set back does no harm`() {
    var size = PartSize()
    for _ in 0..<40 { size.adapt(size.bytes, took: -3_600_000) }
    #expect(PartSize.range.contains(size.bytes))
  }

  @Test func `It is halved after a request that was too large, and the latency measured again`() {
    var size = PartSize()
    let link = Link(bytesPerSecond: 256_000)
    let before = link.send(10, &size).last ?? 0
    size.halve()
    #expect(link.send(3, &size) == [Self.short, Self.short, before / 2])
    for _ in 0..<20 { size.halve() }
    #expect(size.bytes == Self.short)
  }
}
