import OffshoreImages
import TestSupport
import Testing

@testable import offshore_image

/// Images that are scaled row by row.
struct RowScalerTests {
  private func scaled(
    _ pixels: [UInt32], _ source: ImageSize, to target: ImageSize, hasAlpha: Bool = false
  ) -> [UInt32] {
    var scaler = RowScaler(from: source, to: target, hasAlpha: hasAlpha)
    pixels.withUnsafeBytes { bytes in
      for row in 0..<source.height {
        scaler.add(bytes[(row * source.width * 4)..<(row + 1) * source.width * 4])
      }
    }
    return scaler.finish()
  }

  private func gray(_ value: UInt32) -> UInt32 { 0xFF00_0000 | value * 0x01_0101 }

  @Test func `A pixel is the mean of the pixels that it covers`() {
    let pixels = [0, 10, 20, 30, 100, 110, 120, 130].map { gray($0) }
    #expect(
      scaled(pixels, ImageSize(4, 2), to: ImageSize(2, 1)) == [gray(55), gray(75)])
    #expect(scaled(pixels, ImageSize(4, 2), to: ImageSize(1, 1)) == [gray(65)])
    #expect(
      scaled(pixels, ImageSize(4, 2), to: ImageSize(4, 1)) == [50, 60, 70, 80].map { gray($0) })
  }

  @Test func `A pixel on a border counts for both sides by its parts`() {
    let pixels = [0, 90, 240].map { gray($0) }
    // The first pixel and half of the second, and the other half and the third.
    #expect(scaled(pixels, ImageSize(3, 1), to: ImageSize(2, 1)) == [gray(30), gray(190)])
    #expect(scaled(pixels, ImageSize(1, 3), to: ImageSize(1, 2)) == [gray(30), gray(190)])
  }

  @Test func `A color counts as much as it is visible`() {
    let pixels: [UInt32] = [0xFF00_0064, 0x00FF_FFFF]
    #expect(
      scaled(pixels, ImageSize(2, 1), to: ImageSize(1, 1), hasAlpha: true) == [0x8000_0064])
    #expect(scaled([0, 0], ImageSize(2, 1), to: ImageSize(1, 1), hasAlpha: true) == [0])
  }

  @Test func `An image of one color keeps it in every size`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<200 {
      let source = ImageSize(1 + random.number(below: 70), 1 + random.number(below: 70))
      let target = ImageSize(
        1 + random.number(below: source.width), 1 + random.number(below: source.height))
      let color = UInt32(truncatingIfNeeded: random.next()) | 0x0100_0000
      for hasAlpha in [false, true] {
        let pixels = [UInt32](repeating: color, count: source.pixelCount)
        let result = scaled(pixels, source, to: target, hasAlpha: hasAlpha)
        #expect(result == [UInt32](repeating: color, count: target.pixelCount))
      }
    }
  }

  @Test func `The mean of an image stays`() {
    var random = SeededRandom(seed: 8)
    let source = ImageSize(61, 47)
    let pixels = (0..<source.pixelCount).map { _ in gray(UInt32(random.number(below: 256))) }
    let mean = pixels.map { Double($0 & 0xFF) }.reduce(0, +) / Double(pixels.count)
    for target in [ImageSize(60, 46), ImageSize(31, 23), ImageSize(5, 47), ImageSize(3, 2)] {
      let result = scaled(pixels, source, to: target)
      let now = result.map { Double($0 & 0xFF) }.reduce(0, +) / Double(result.count)
      #expect(abs(now - mean) < 0.5)
    }
  }

  @Test func `The same size is a copy`() {
    let pixels: [UInt32] = [1, 2, 3, 0xFFFF_FFFF, 5, 6]
    #expect(scaled(pixels, ImageSize(3, 2), to: ImageSize(3, 2), hasAlpha: true) == pixels)
  }

  @Test func `A decoder that fails ends the scaling`() {
    var scaler = RowScaler(from: ImageSize(2, 3), to: ImageSize(1, 1), hasAlpha: false)
    var count = 0
    let isWhole = scaler.add(rows: 3) { _ in
      count += 1
      return count < 2
    }
    #expect(!isWhole && count == 2)
  }

  @Test func `A photo is decoded at the smallest sufficient eighths`() {
    let size = ImageSize(1_000, 800)
    let expected = [(1_000, 8), (876, 8), (875, 7), (500, 4), (126, 2), (125, 1), (1, 1)]
    for (width, eighths) in expected {
      let target = size.fitted(into: ImageSize(width, 1_000))
      #expect(JPEGCoding.eighths(of: size, for: target) == eighths)
    }
  }
}
