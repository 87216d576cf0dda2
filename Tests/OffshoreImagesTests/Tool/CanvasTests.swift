import OffshoreImages
import TestSupport
import Testing

@testable import offshore_image

/// Pixels in memory.
struct CanvasTests {
  @Test func `A canvas without alpha is opaque`() {
    let canvas = Canvas(ImageSize(2, 1), [0x0012_3456, 0x9912_3456], hasAlpha: false)
    #expect(canvas.pixels == [0xFF12_3456, 0xFF12_3456])
    #expect(!canvas.hasAlpha)
  }

  @Test func `Colors that are not visible are removed`() {
    let canvas = Canvas(ImageSize(2, 1), [0x0012_3456, 0x0112_3456], hasAlpha: true)
    #expect(canvas.pixels == [0, 0x0112_3456])
    #expect(canvas.hasAlpha)
  }

  @Test func `White shows through transparent pixels`() {
    var canvas = Canvas(
      ImageSize(3, 1), [0, 0x8000_0000, 0xFF12_3456], hasAlpha: true)
    canvas.flatten()
    #expect(canvas.pixels == [0xFFFF_FFFF, 0xFF7F_7F7F, 0xFF12_3456])
    #expect(!canvas.hasAlpha)
  }

  @Test func `Turning four times to the left is the same image again`() {
    let pixels = (0..<6).map { UInt32($0) | 0xFF00_0000 }
    var canvas = Canvas(ImageSize(3, 2), pixels, hasAlpha: false)
    for round in 1...4 {
      canvas.turn(by: .turnedRight)
      #expect(canvas.size == (round % 2 == 0 ? ImageSize(3, 2) : ImageSize(2, 3)))
      #expect((canvas.pixels == pixels) == (round == 4))
    }
  }

  @Test func `Each orientation keeps every pixel, and two are undone by each other`() {
    let size = ImageSize(5, 3)
    let pixels = (0..<15).map { UInt32($0) | 0xFF00_0000 }
    for orientation in ImageOrientation.allCases {
      var canvas = Canvas(size, pixels, hasAlpha: false)
      canvas.turn(by: orientation)
      #expect(canvas.pixels.sorted() == pixels)
      #expect((canvas.pixels == pixels) == (orientation == .upright))
      let opposite: ImageOrientation =
        switch orientation {
        case .turnedLeft: .turnedRight
        case .turnedRight: .turnedLeft
        default: orientation
        }
      canvas.turn(by: opposite)
      #expect(canvas.pixels == pixels && canvas.size == size)
    }
  }
}
