import OffshoreImages
import TestSupport
import Testing

/// Images with random damage.
@Suite(.timeLimit(.minutes(60)))
struct ImageMutationTests {
  @Test
  func `Damaged images are refused with a sentence, or scaled, and the program never crashes`()
    async throws
  {
    let images = try Self.images()
    let rounds = Rounds.count(ofSoak: 100_000, else: 2_000)
    let program = ImageProgram(runLimit: 4)
    let outcomes = try await withThrowingTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          var outcomes: [String: Int] = [:]
          for round in stride(from: worker, to: rounds, by: 4) {
            var random = SeededRandom(seed: UInt64(round))
            let image = Self.mutated(random.pick(images), &random)
            let options = ImageOptions(
              fit: ImageSize(40, 40), type: random.pick([nil, .jpeg, .png, .webp]))
            let outcome = try await Self.outcome(of: image, options, program)
            if !Self.expected.contains(outcome) { Issue.record("round \(round): \(outcome)") }
            outcomes[outcome, default: 0] += 1
          }
          return outcomes
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
    }
    // Both happen, so the damage is neither too large nor too small.
    #expect(outcomes["scaled", default: 0] > rounds / 20)
    #expect(outcomes["damaged", default: 0] > rounds / 20)
  }

  @Test func `Headers of random bytes are parsed or refused`() {
    let rounds = Rounds.count(ofSoak: 1_000_000, else: 20_000)
    var parsed = 0
    var random = SeededRandom(seed: 41)
    for _ in 0..<rounds {
      let head = random.pick(Self.heads)
      let count = random.number(below: 60)
      let bytes =
        head
        + (0..<count).map { _ in
          random.pick(Self.usualBytes + [UInt8(random.number(below: 256))])
        }
      if let header = try? ImageHeader(bytes) {
        parsed += 1
        #expect(header.size.pixelCount > 0 && header.frame.upperBound <= bytes.count)
      }
    }
    #expect(parsed > 0)
  }

  private static let expected: Set = ["scaled", "damaged", "wrongType", "tooManyPixels"]

  /// The first bytes of files, as far as each type is the same.
  private static let heads: [[UInt8]] = [
    [0xFF, 0xD8, 0xFF, 0xE1, 0, 22] + Array("Exif\0\0II".utf8) + [42, 0, 8, 0, 0, 0],
    [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8], TestPNG.signature + [0, 0, 0, 13] + Array("IHDR".utf8),
    Array("RIFF    WEBPVP8 ".utf8), Array("RIFF    WEBPVP8L".utf8) + [9, 0, 0, 0, 0x2F],
    Array("RIFF    WEBPANMF".utf8) + [20, 0, 0, 0],
  ]

  private static let usualBytes: [UInt8] = [
    0, 0, 0, 1, 2, 8, 0xFF, 0xFF, 0x9D, 0x01, 0x2A, 0x12, 0xDA,
  ]

  private static func outcome(
    of image: [UInt8], _ options: ImageOptions, _ program: ImageProgram
  ) async throws -> String {
    do {
      let result = try await program.scale(image, to: options)
      return try ImageHeader(result.bytes).size == result.size ? "scaled" : "wrong size"
    } catch let error as ImageError {
      return "\(error.code)"
    }
  }

  /// Small images of all types and kinds.
  private static func images() throws -> [[UInt8]] {
    let exif = TestExif(orientation: 6)
    var interlaced = TestPNG.gradient(40, 30)
    interlaced.isInterlaced = true
    var palette = TestPNG(size: ImageSize(40, 30), kind: .palette) { x, y in [UInt8((x + y) % 4)] }
    palette.before = [
      ("PLTE", [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]), ("tRNS", [255, 128, 0]),
    ]
    let transparent = TestPNG(size: ImageSize(40, 30), kind: .rgba) { x, y in
      [UInt8(x * 6), UInt8(y * 8), 99, UInt8(x * y % 256)]
    }
    let profile = TestProfiles.exchangedColors()
    let plain = try ImageType.allCases.map { try TestFiles.file($0, .gradient(60, 40)) }
    let described = try plain.map { try TestFiles.adding(exif: exif, profile: profile, to: $0) }
    let webp = try TestFiles.file(.webp, transparent)
    return try plain + described + [
      interlaced.bytes, palette.bytes, transparent.bytes, webp,
      TestFiles.animation([webp, webp]), FlatJPEG(values: [9, 200, 30, 77]).bytes,
      FlatJPEG(values: [100, 20, 70], hasManyScans: true).bytes,
    ]
  }

  /// Damages an image at one to four places.
  private static func mutated(_ image: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var image = image
    for _ in 0...random.number(below: 4) {
      guard image.count > 8 else { break }
      let place = random.number(below: image.count)
      let length = min(1 + random.number(below: 16), image.count - place)
      switch random.number(below: 6) {
      case 0: image[place] ^= 1 << UInt8(random.number(below: 8))
      case 1: image[place] = UInt8(random.number(below: 256))
      case 2: image[place] = random.pick([0, 1, 0x7F, 0x80, 0xFE, 0xFF])
      case 3: image.removeSubrange(place..<place + length)
      case 4: image.insert(contentsOf: image[place..<place + length], at: place)
      default: image.removeLast(random.number(below: min(64, image.count)))
      }
    }
    // A wrong checksum would hide the damage from the decoder.
    let hasChecksums = image.starts(with: TestPNG.signature) && random.number(below: 4) > 0
    return hasChecksums ? TestPNG.withChecksums(image) : image
  }
}
