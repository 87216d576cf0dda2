import OffshoreImages
import Testing

@testable import offshore_image

/// The conversion of images, without a process of their own.
struct ConversionTests {
  private static let (red, green, blue, white) =
    (UInt32(0xFFFF_0000), UInt32(0xFF00_FF00), UInt32(0xFF00_00FF), UInt32(0xFFFF_FFFF))

  // MARK: - Orientation

  /// The sides of the upright image at which the first row and the first column of the stored one
  /// are, as the standard describes the orientations 1 to 8.
  private static let sides: [(row: Character, column: Character)] = [
    ("t", "l"), ("t", "r"), ("b", "r"), ("b", "l"), ("l", "t"), ("r", "t"), ("r", "b"), ("l", "b"),
  ]

  /// Returns an image of four colored quarters that is upright after it is turned.
  private static func quarters(_ size: ImageSize, storedAs orientation: Int) -> TestPNG {
    let (row, column) = sides[orientation - 1]
    let stored = orientation > 4 ? size.transposed : size
    return TestPNG(size: stored) { x, y in
      // The distances of the pixel from the sides of the first column and of the first row.
      var (left, top) = (0, 0)
      for (side, distance) in [(column, x), (row, y)] {
        switch side {
        case "l": left = distance
        case "r": left = size.width - 1 - distance
        case "t": top = distance
        default: top = size.height - 1 - distance
        }
      }
      let isLeft = left < size.width / 2
      if top < size.height / 2 { return isLeft ? [255, 0, 0] : [0, 255, 0] }
      return isLeft ? [0, 0, 255] : [255, 255, 255]
    }
  }

  @Test(arguments: 1...8) func `Every pixel of an image is turned upright`(_ number: Int) throws {
    let size = ImageSize(6, 4)
    let stored = Self.quarters(size, storedAs: number).bytes
    let file = try TestFiles.adding(exif: TestExif(orientation: UInt16(number)), to: stored)
    let result = try Conversion(ImageOptions()).convert(file)
    #expect(result.size == size)
    let (top, bottom) = ([Self.red, Self.green], [Self.blue, Self.white])
    let expected = [top, top, bottom, bottom].flatMap { row in
      row.flatMap { [UInt32](repeating: $0, count: 3) }
    }
    #expect(try TestFiles.pixels(result.bytes) == expected)
  }

  @Test(arguments: [ImageType.jpeg, .webp])
  func `Photos are turned upright, and scaled into the box of the upright image`(
    _ type: ImageType
  ) throws {
    for number in 1...8 {
      let stored = try TestFiles.file(type, Self.quarters(ImageSize(96, 64), storedAs: number))
      let file = try TestFiles.adding(exif: TestExif(orientation: UInt16(number)), to: stored)
      let options = ImageOptions(fit: ImageSize(24, 100), type: .png)
      let result = try Conversion(options).convert(file)
      #expect(result.size == ImageSize(24, 16))
      let pixels = try TestFiles.pixels(result.bytes)
      for (x, y, color) in [
        (3, 3, Self.red), (20, 3, Self.green), (3, 12, Self.blue), (20, 12, Self.white),
      ] {
        #expect(Self.distance(pixels[y * 24 + x], color) < 12, "\(type) \(number)")
      }
    }
  }

  // MARK: - Kinds of pixels

  @Test func `Interlaced images are decoded like others`() throws {
    for (width, height) in [(1, 1), (2, 3), (5, 5), (9, 17), (40, 30)] {
      var png = TestPNG.gradient(width, height)
      let pixels = try TestFiles.pixels(png.bytes)
      png.isInterlaced = true
      #expect(try TestFiles.pixels(png.bytes) == pixels)
    }
  }

  @Test func `Samples of 16 bits, shades of gray and palettes become colors`() throws {
    let size = ImageSize(2, 1)
    let deep = TestPNG(size: size, kind: .rgb16) { x, _ in [0xFF, 0xFF, 0x80, 0x80, UInt8(x), 0] }
    #expect(try TestFiles.pixels(deep.bytes) == [0xFFFF_8000, 0xFFFF_8001])
    let gray = TestPNG(size: size, kind: .gray) { x, _ in [UInt8(x * 200)] }
    #expect(try TestFiles.pixels(gray.bytes) == [0xFF00_0000, 0xFFC8_C8C8])
    let veiled = TestPNG(size: size, kind: .grayAlpha) { x, _ in [200, UInt8(100 + x)] }
    #expect(try TestFiles.pixels(veiled.bytes) == [0x64C8_C8C8, 0x65C8_C8C8])
    var palette = TestPNG(size: size, kind: .palette) { x, _ in [UInt8(x)] }
    palette.before = [("PLTE", [1, 2, 3, 4, 5, 6]), ("tRNS", [128])]
    #expect(try TestFiles.pixels(palette.bytes) == [0x8001_0203, 0xFF04_0506])
  }

  @Test func `A palette without that color is damaged`() throws {
    let png = TestPNG(size: ImageSize(2, 1), kind: .palette) { _, _ in [1] }
    #expect(throws: ImageError.damaged) { try TestFiles.pixels(png.bytes) }
  }

  @Test func `Transparency stays in PNG and WebP, and becomes white in JPEG`() throws {
    let png = TestPNG(size: ImageSize(32, 32), kind: .rgba) { x, _ in
      x < 16 ? [255, 0, 0, 0] : [0, 0, 255, 128]
    }
    for type in [ImageType.png, .webp] {
      let file = try Conversion(ImageOptions(type: type)).convert(png.bytes).bytes
      let pixels = try TestFiles.pixels(
        Conversion(ImageOptions(type: .png)).convert(file).bytes)
      #expect(pixels[0] == 0)
      #expect(pixels[31] >> 24 == 128)
      #expect(Self.distance(pixels[31], Self.blue) < 12)
    }
    let jpeg = try Conversion(ImageOptions(type: .jpeg)).convert(png.bytes).bytes
    let pixels = try TestFiles.pixels(Conversion(ImageOptions(type: .png)).convert(jpeg).bytes)
    #expect(Self.distance(pixels[2], Self.white) < 12)
    #expect(Self.distance(pixels[29], 0xFF7F_7FFF) < 12)
  }

  @Test func `An opaque image has no transparency afterwards`() throws {
    let png = TestPNG(size: ImageSize(4, 4), kind: .rgba) { _, _ in [1, 2, 3, 255] }
    let result = try Conversion(ImageOptions()).convert(png.bytes).bytes
    // The color type is at 25, and 2 has no alpha.
    #expect(result[25] == 2)
  }

  @Test func `Of an animated image, the first frame is used`() throws {
    let red = TestPNG(size: ImageSize(16, 16)) { _, _ in [255, 0, 0] }
    let veiled = TestPNG(size: ImageSize(16, 16), kind: .rgba) { _, _ in [0, 255, 0, 99] }
    let (first, second) = (try TestFiles.file(.webp, red), try TestFiles.file(.webp, veiled))
    let options = ImageOptions(type: .png)
    let result = try Conversion(options).convert(TestFiles.animation([first, second]))
    #expect(Self.distance(try TestFiles.pixels(result.bytes)[0], Self.red) < 12)
    let other = try Conversion(options).convert(TestFiles.animation([second, first]))
    #expect(try TestFiles.pixels(other.bytes)[0] >> 24 == 99)
  }

  // MARK: - Sizes

  @Test(arguments: ImageType.allCases)
  func `A result is as small as the largest number of bytes demands`(_ type: ImageType) throws {
    let png = TestPNG.noise(300, 200)
    let free = try Conversion(ImageOptions(type: type)).convert(png.bytes)
    #expect(free.size == ImageSize(300, 200))
    for limit in [free.bytes.count - 1, 8_000, 1_024] {
      let result = try Conversion(
        ImageOptions(type: type, maximumByteCount: limit)
      ).convert(png.bytes)
      #expect(result.bytes.count <= limit && result.type == type)
      #expect(try ImageHeader(result.bytes).size == result.size)
    }
  }

  @Test func `Less quality makes a smaller file`() throws {
    let png = TestPNG.gradient(200, 150).bytes
    for type in [ImageType.jpeg, .webp] {
      let counts = try [95, 60, 20].map { quality in
        try Conversion(ImageOptions(type: type, quality: quality)).convert(png).bytes.count
      }
      #expect(counts[0] > counts[1] && counts[1] > counts[2])
    }
  }

  @Test func `An image that is too long for its type is scaled`() throws {
    let png = TestPNG(size: ImageSize(20_000, 10), kind: .bitmap).bytesOfEmptyPixels
    let webp = try Conversion(ImageOptions(type: .webp)).convert(png)
    #expect(webp.size == ImageSize(16_383, 8))
    let jpeg = try Conversion(ImageOptions(type: .jpeg)).convert(png)
    #expect(jpeg.size == ImageSize(20_000, 10))
  }

  @Test func `A scaled photo looks like the scaled original`() throws {
    let png = TestPNG.gradient(400, 300)
    let options = ImageOptions(fit: ImageSize(50, 50), type: .png)
    let expected = try TestFiles.pixels(Conversion(options).convert(png.bytes).bytes)
    for type in [ImageType.jpeg, .webp] {
      let file = try TestFiles.file(type, png)
      let pixels = try TestFiles.pixels(Conversion(options).convert(file).bytes)
      #expect(pixels.count == expected.count)
      let farthest = zip(pixels, expected).map { Self.distance($0, $1, ignoringBlue: true) }.max()
      #expect(farthest.map { $0 < 16 } == true)
    }
  }

  /// The largest difference of two colors in a channel.
  static func distance(_ left: UInt32, _ right: UInt32, ignoringBlue: Bool = false) -> Int {
    (ignoringBlue ? [8, 16] : [0, 8, 16]).map { shift in
      abs(Int(left >> shift & 0xFF) - Int(right >> shift & 0xFF))
    }.max() ?? 0
  }
}
