import OffshoreImages
import Testing

/// Sizes that fit into boxes, and options as arguments.
struct ImageSizeTests {
  @Test func `An image fits into a box by its longer side`() {
    let size = ImageSize(4_000, 3_000)
    #expect(size.fitted(into: ImageSize(400, 400)) == ImageSize(400, 300))
    #expect(size.fitted(into: ImageSize(4_000, 30)) == ImageSize(40, 30))
    #expect(size.fitted(into: ImageSize(40, 3_000)) == ImageSize(40, 30))
    #expect(ImageSize(3_000, 4_000).fitted(into: ImageSize(400, 400)) == ImageSize(300, 400))
  }

  @Test func `A smaller image stays as it is`() {
    #expect(ImageSize(10, 5).fitted(into: ImageSize(10, 5)) == ImageSize(10, 5))
    #expect(ImageSize(10, 5).fitted(into: ImageSize(100, 100)) == ImageSize(10, 5))
  }

  @Test func `No side vanishes, and none is larger than the box`() {
    #expect(ImageSize(60_000, 2).fitted(into: ImageSize(10, 10)) == ImageSize(10, 1))
    for width in [1, 3, 7, 99, 65_535] {
      for height in [1, 2, 50, 700] {
        for side in [1, 2, 5, 64] {
          let fitted = ImageSize(width, height).fitted(into: ImageSize(side, side))
          #expect(1...min(side, width) ~= fitted.width && 1...min(side, height) ~= fitted.height)
        }
      }
    }
  }

  @Test func `Sides are rounded to the nearest pixel`() {
    #expect(ImageSize(100, 55).fitted(into: ImageSize(10, 10)) == ImageSize(10, 6))
    #expect(ImageSize(100, 54).fitted(into: ImageSize(10, 10)) == ImageSize(10, 5))
  }

  @Test func `A size is written by its sides`() {
    #expect(ImageSize(640, 480).description == "640x480")
  }
}
