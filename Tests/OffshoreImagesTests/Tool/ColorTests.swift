import OffshoreImages
import Testing

@testable import offshore_image

/// Colors of other spaces, which become those of sRGB.
struct ColorTests {
  private func pixel(_ file: [UInt8]) throws -> UInt32 {
    try TestFiles.pixels(Conversion(ImageOptions(type: .png)).convert(file).bytes)[0]
  }

  private func isNear(_ left: UInt32, _ right: UInt32) -> Bool {
    ConversionTests.distance(left, right) <= 4
  }

  @Test(arguments: ImageType.allCases)
  func `Colors are converted from the profile of an image`(_ type: ImageType) throws {
    let red = TestPNG(size: ImageSize(16, 16)) { _, _ in [255, 0, 0] }
    let file = try TestFiles.adding(
      profile: TestProfiles.exchangedColors(), to: TestFiles.file(type, red))
    #expect(isNear(try pixel(file), 0xFF00_FF00))
  }

  @Test func `The alpha of an image with a profile stays`() throws {
    let png = TestPNG(size: ImageSize(2, 2), kind: .rgba) { _, _ in [255, 0, 0, 77] }
    let file = try TestFiles.adding(profile: TestProfiles.exchangedColors(), to: png.bytes)
    #expect(isNear(try pixel(file), 0x4D00_FF00))
    #expect(try pixel(file) >> 24 == 77)
  }

  @Test func `Shades of gray are converted from their profile`() throws {
    let gray = TestPNG(size: ImageSize(2, 2), kind: .gray) { _, _ in [55] }
    let file = try TestFiles.adding(profile: TestProfiles.linearGray(), to: gray.bytes)
    // A fifth of the light of white is half of the way to it in sRGB.
    #expect(isNear(try pixel(file), 0xFF7F_7F7F))
    let veiled = TestPNG(size: ImageSize(2, 2), kind: .grayAlpha) { _, _ in [55, 200] }
    let veiledFile = try TestFiles.adding(profile: TestProfiles.linearGray(), to: veiled.bytes)
    #expect(isNear(try pixel(veiledFile), 0xC87F_7F7F))
    #expect(try pixel(veiledFile) >> 24 == 200)
  }

  @Test func `A profile that is damaged or of other channels is ignored`() throws {
    let blue = TestPNG(size: ImageSize(16, 16)) { _, _ in [0, 0, 255] }
    let file = try TestFiles.file(.webp, blue)
    var damaged = TestProfiles.exchangedColors()
    damaged.removeLast(damaged.count / 2)
    for profile in [[], [1, 2, 3], damaged, TestProfiles.linearGray()] {
      #expect(isNear(try pixel(TestFiles.adding(profile: profile, to: file)), 0xFF00_00FF))
    }
  }

  @Test func `Inks are mixed, in both of the ways in which they are stored`() throws {
    let inks: [(stored: [UInt8], isInverted: Bool, color: UInt32)] = [
      ([255, 255, 255, 255], true, 0xFFFF_FFFF), ([255, 0, 0, 255], true, 0xFFFF_0000),
      ([0, 255, 0, 255], true, 0xFF00_FF00), ([255, 255, 255, 0], true, 0xFF00_0000),
      ([0, 0, 0, 0], false, 0xFFFF_FFFF), ([0, 0, 255, 0], false, 0xFFFF_FF00),
      ([0, 0, 0, 255], false, 0xFF00_0000), ([255, 255, 0, 128], false, 0xFF00_007F),
    ]
    for (stored, isInverted, color) in inks {
      for hasManyScans in [false, true] {
        let jpeg = FlatJPEG(
          values: stored, hasAdobeMarker: isInverted, hasManyScans: hasManyScans)
        #expect(isNear(try pixel(jpeg.bytes), color), "\(stored)")
      }
    }
  }

  @Test func `The gamma of a PNG image without a profile counts`() throws {
    var gray = TestPNG(size: ImageSize(2, 2)) { _, _ in [55, 55, 55] }
    gray.before = [("gAMA", TestPNG.number(100_000))]
    #expect(isNear(try pixel(gray.bytes), 0xFF7F_7F7F))
    gray.before = [("sRGB", [0]), ("gAMA", TestPNG.number(45_455))]
    #expect(try pixel(gray.bytes) == 0xFF37_3737)
  }
}
