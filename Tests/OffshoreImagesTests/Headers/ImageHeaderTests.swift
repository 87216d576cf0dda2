import OffshoreImages
import Testing

@testable import offshore_image

/// The facts that are parsed before an image is decoded.
struct ImageHeaderTests {
  @Test(arguments: ImageType.allCases)
  func `The size and the type are in the header`(_ type: ImageType) throws {
    let header = try ImageHeader(TestFiles.file(type, .gradient(70, 50)))
    #expect(header.type == type && header.size == ImageSize(70, 50))
    #expect(header.orientation == .upright && header.profile == nil)
  }

  @Test(arguments: ImageType.allCases, [true, false])
  func `The orientation is read in both orders of bytes`(
    _ type: ImageType, isLittleEndian: Bool
  ) throws {
    for orientation in ImageOrientation.allCases {
      let exif = TestExif(
        orientation: UInt16(orientation.rawValue), isLittleEndian: isLittleEndian)
      let file = try TestFiles.adding(exif: exif, to: TestFiles.file(type, .gradient(20, 10)))
      #expect(try ImageHeader(file).orientation == orientation)
      #expect(try ImageHeader(file).size == ImageSize(20, 10))
    }
  }

  @Test(arguments: ImageType.allCases)
  func `An orientation that does not exist is upright`(_ type: ImageType) throws {
    for value: UInt16 in [0, 9, 0xFFFF] {
      let file = try TestFiles.adding(
        exif: TestExif(orientation: value), to: TestFiles.file(type, .gradient(20, 10)))
      #expect(try ImageHeader(file).orientation == .upright)
    }
  }

  @Test func `The orientation of a PNG image is read after the pixels, too`() throws {
    var png = TestPNG.gradient(20, 10)
    png.after = [("eXIf", TestExif(orientation: 8).tiff)]
    #expect(try ImageHeader(png.bytes).orientation == .turnedRight)
  }

  @Test func `The first Exif segment of a JPEG image counts`() throws {
    let file = try TestFiles.adding(
      exif: TestExif(orientation: 3), to: TestFiles.file(.jpeg, .gradient(20, 10)))
    let twice = try TestFiles.adding(exif: TestExif(orientation: 6), to: file)
    #expect(try ImageHeader(twice).orientation == .turnedLeft)
  }

  @Test func `Exif data that ends early is upright`() throws {
    let tiff = TestExif(orientation: 6).tiff
    for count in 0..<30 {
      var png = TestPNG.gradient(20, 10)
      png.before = [("eXIf", Array(tiff[..<count]))]
      #expect(try ImageHeader(png.bytes).orientation == .upright)
    }
  }

  @Test func `The profile of a WebP image is in the header`() throws {
    let file = try TestFiles.file(.webp, .gradient(20, 10))
    #expect(
      try ImageHeader(TestFiles.adding(profile: [1, 2, 3], to: file)).profile == [1, 2, 3])
  }

  @Test func `The first frame of an animated image is found`() throws {
    let frame = try TestFiles.file(.webp, .gradient(20, 10))
    let animation = try TestFiles.animation([frame, frame])
    let header = try ImageHeader(animation)
    #expect(header.size == ImageSize(20, 10))
    #expect(Array(animation[header.frame]) == Array(frame[12...]))
  }

  @Test func `Files without a size are damaged`() throws {
    let empty = TestPNG.number(0) + TestPNG.number(5) + [8, 2, 0, 0, 0]
    let files: [[UInt8]] = [
      TestPNG.signature, TestPNG.file([("IDAT", [])]), TestPNG.file([("IHDR", empty)]),
      [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF, 0xD9], [0xFF, 0xD8, 0xFF, 0xC0, 0, 1],
      TestFiles.riff([]), TestFiles.riff(TestFiles.chunk("VP8 ", [1, 2, 3])),
      TestFiles.riff(TestFiles.chunk("VP8L", [0, 0, 0, 0, 0])),
      TestFiles.riff(TestFiles.chunk("ANMF", [UInt8](repeating: 0, count: 16))),
    ]
    for file in files {
      #expect(throws: ImageError.damaged) { try ImageHeader(file) }
    }
  }

  @Test func `Other types are not recognized`() {
    let texts = ["", "RIFF1234WAVE", "GIF89a", "<svg", "\u{89}PN"]
    for text in texts { #expect(ImageType(content: text.utf8) == nil) }
    #expect(throws: ImageError.wrongType) { try ImageHeader(Array("BM".utf8)) }
  }
}
