import OffshoreImages
import TestSupport
import Testing

@testable import offshore_image

/// Images that are scaled by the program in a process of its own.
@Suite(.timeLimit(.minutes(2)))
struct ImageProgramTests {
  private let program = ImageProgram()

  @Test func `A photo becomes a small picture of another type`() async throws {
    let photo = TestPNG.gradient(640, 480).bytes
    let images = ImageProgram()
    let options = ImageOptions(fit: ImageSize(256, 256), type: .jpeg, maximumByteCount: 64 << 10)
    let picture = try await images.scale(photo, to: options)
    #expect(picture.type.mediaType == "image/jpeg")
    #expect(picture.size == ImageSize(256, 192))
    #expect(picture.bytes.count <= 64 << 10)
    #expect(ImageType(content: picture.bytes) == .jpeg)
  }

  @Test(arguments: ImageType.allCases)
  func `Without options, the type and the size stay`(_ type: ImageType) async throws {
    let result = try await program.scale(TestFiles.file(type, .gradient(120, 80)))
    #expect(result.type == type && result.size == ImageSize(120, 80))
    #expect(try ImageHeader(result.bytes).type == type)
  }

  @Test(arguments: ImageType.allCases)
  func `Every type becomes every other one`(_ type: ImageType) async throws {
    let file = try TestFiles.file(type, .gradient(60, 40))
    for wanted in ImageType.allCases {
      let result = try await program.scale(
        file, to: ImageOptions(fit: ImageSize(30, 30), type: wanted))
      #expect(result.type == wanted && result.size == ImageSize(30, 20))
    }
  }

  @Test(arguments: ImageType.allCases)
  func `Neither the place of a photo nor other metadata comes out`(_ type: ImageType) async throws {
    let file = try TestFiles.adding(
      exif: TestExif(), profile: TestProfiles.exchangedColors(),
      xmp: "<exif:GPSLatitude>\(TestExif.secret)</exif:GPSLatitude>",
      to: TestFiles.file(type, .gradient(64, 48)))
    #expect(file.contains(text: TestExif.secret))
    for wanted in ImageType.allCases {
      let result = try await program.scale(file, to: ImageOptions(type: wanted)).bytes
      for trace in [
        TestExif.secret, "Exif", "EXIF", "eXIf", "GPS", "adobe", "xmp", "XMP", "Comment", "tEXt",
        "iTXt", "zTXt", "ICC", "acsp",
      ] {
        #expect(!result.contains(text: trace), "\(type) as \(wanted)")
      }
    }
  }

  @Test func `Files that are not images are refused`() async throws {
    let bmp = Array("BM".utf8) + [UInt8](repeating: 0, count: 100)
    let svg = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
    let heic = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 100)
    for file in [[], [0], bmp, svg, heic, Array("GIF89a".utf8)] {
      await expect(.wrongType) { try await program.scale(file) }
    }
  }

  @Test func `A file of 10 MiB is read, and one with another byte is refused`() async throws {
    let image = TestPNG.gradient(40, 30).bytes
    let full = image + [UInt8](repeating: 0, count: ImageLimits.byteCount - image.count)
    #expect(try await program.scale(full).size == ImageSize(40, 30))
    await expect(.tooLarge) { try await program.scale(full + [0]) }
  }

  @Test func `A small file with 50,001,000 pixels is refused, and one with 50,000,000 is scaled`()
    async throws
  {
    let larger = TestPNG(size: ImageSize(50_001, 1_000), kind: .bitmap).bytesOfEmptyPixels
    #expect(larger.count < 10_000)
    await expect(.tooManyPixels) { try await program.scale(larger) }
    let largest = TestPNG(size: ImageSize(10_000, 5_000), kind: .bitmap).bytesOfEmptyPixels
    let result = try await program.scale(largest, to: ImageOptions(fit: ImageSize(100, 100)))
    #expect(result.size == ImageSize(100, 50))
  }

  @Test func `A header with huge sides is refused before anything is decoded`() async throws {
    for sides in [(65_536, 1), (1, 65_536), (Int(UInt32.max), Int(UInt32.max)), (7_072, 7_072)] {
      let header = TestPNG.number(sides.0) + TestPNG.number(sides.1) + [8, 2, 0, 0, 0]
      await expect(.tooManyPixels) { try await program.scale(TestPNG.file([("IHDR", header)])) }
    }
  }

  @Test(arguments: ImageType.allCases)
  func `An image that is cut at every 1,000th byte is refused`(_ type: ImageType) async throws {
    let file = try TestFiles.file(type, .noise(200, 150))
    #expect(file.count > 15_000)
    for count in stride(from: 1_000, to: file.count, by: 1_000) {
      await expect(.damaged) { try await program.scale(Array(file[..<count])) }
    }
  }

  @Test func `A hundred calls at once are all answered`() async throws {
    let file = TestPNG.gradient(64, 48).bytes
    let sizes = try await withThrowingTaskGroup { group in
      for side in 1...100 {
        group.addTask { [program] in
          try await program.scale(file, to: ImageOptions(fit: ImageSize(side, side))).size
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(sizes == Set((1...100).map { ImageSize(64, 48).fitted(into: ImageSize($0, $0)) }))
  }

  @Test func `Options outside of their ranges have the effect of the nearest ones`() async throws {
    let file = TestPNG.gradient(64, 48).bytes
    let low = ImageOptions(fit: ImageSize(0, -5), type: .jpeg, quality: -1, maximumByteCount: 0)
    #expect(try await program.scale(file, to: low).size == ImageSize(1, 1))
    let high = ImageOptions(
      fit: ImageSize(.max, .max), type: .jpeg, quality: .max, maximumByteCount: .max)
    #expect(try await program.scale(file, to: high).size == ImageSize(64, 48))
  }

  private func expect(
    _ code: ImageError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> ScaledImage
  ) async {
    let error = await #expect(throws: ImageError.self, sourceLocation: sourceLocation) {
      try await body()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.message.hasSuffix(".") == true, sourceLocation: sourceLocation)
  }
}
