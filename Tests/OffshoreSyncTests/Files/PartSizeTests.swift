import Testing

@testable import OffshoreSync

/// The size of the parts of files.
struct PartSizeTests {
  @Test func `It grows on a fast link by twice at most, up to the limit of the server`() {
    var size = PartSize()
    var sizes: [Int] = []
    for _ in 0..<10 {
      sizes.append(size.bytes)
      size.adapt(size.bytes, took: 1)
    }
    #expect(Array(sizes.prefix(3)) == [64 << 10, 128 << 10, 256 << 10])
    #expect(size.bytes == 4 << 20)
  }

  @Test func `It follows the speed of a slow link, down to 16 KiB`() {
    var size = PartSize()
    size.adapt(64 << 10, took: 1_000)
    #expect(size.bytes == 32 << 10)
    size.adapt(32 << 10, took: 4_000)
    #expect(size.bytes == 16 << 10)
  }

  @Test func `A short last part and a request without content change nothing`() {
    var size = PartSize()
    size.adapt(10, took: 5_000)
    size.adapt(0, took: 0)
    #expect(size == PartSize())
  }

  @Test func `It is halved after a request that was too large`() {
    var size = PartSize()
    size.halve()
    #expect(size.bytes == 32 << 10)
    for _ in 0..<5 { size.halve() }
    #expect(size.bytes == 16 << 10)
  }
}
