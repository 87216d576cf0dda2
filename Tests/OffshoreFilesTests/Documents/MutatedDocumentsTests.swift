import Foundation
import TestSupport
import Testing

@testable import OffshoreFiles

/// Documents with random damage. `make soak` loads 100,000 of them.
@Suite(.timeLimit(.minutes(60)))
struct MutatedDocumentsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let upgrades = [DocumentUpgrade { (old: [Note]) in old }]
  private static let format = DocumentFormat<ElementList<Note>>(
    configuration: JSONConfiguration(sizeLimit: 4096), upgrades: upgrades)

  private static func original() throws -> [UInt8] {
    let notes = (0..<5).map { number in
      Note(
        "\(number)", "text “\(number)”",
        date: Date(timeIntervalSinceReferenceDate: Double(number) / 3))
    }
    var list = try ElementList(notes)
    return Array(try format.encode(&list).bytes)
  }

  @Test func `No damaged document ends the process or is overwritten`() async throws {
    var random = SeededRandom(seed: 7)
    let original = try Self.original()
    var damagedCount = 0
    for round in 0..<Rounds.count(ofSoak: 100_000, else: 300) {
      let bytes = Data(Self.mutated(original, &random))
      try folder.write(bytes, to: "notes.json")
      let notes = folder.open().collection(
        "notes.json", of: Note.self, configuration: Self.format.configuration,
        upgrades: Self.upgrades)
      if (try? await notes.load()) == nil {
        damagedCount += 1
        try? await notes.upsert(Note("new"))
      }
      let names = try folder.names()
      let isKept = names.contains { folder.bytes($0) == bytes }
      #expect(isKept, "round \(round): \(bytes.base64EncodedString())")
      for name in names { try FileManager.default.removeItem(atPath: folder.file(name)) }
    }
    #expect(damagedCount > 200)
  }

  private static func mutated(_ original: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = original
    for _ in 0...random.number(below: 3) where !bytes.isEmpty { mutate(&bytes, &random) }
    return bytes
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let index = random.number(below: bytes.count)
    switch random.number(below: 8) {
    case 0, 1: bytes[index] ^= 1 << UInt8(random.number(below: 8))
    case 2: bytes[index] = UInt8(truncatingIfNeeded: random.next())
    case 3: bytes.removeSubrange(index...)
    case 4: bytes.removeSubrange(index..<min(bytes.count, index + random.number(below: 40)))
    case 5: bytes.insert(contentsOf: bytes[..<index].suffix(random.number(below: 200)), at: index)
    case 6:
      let texts = ["\u{FEFF}", "\u{0}", "{[", "1e999", "\\ud800", "\"", "}", "]"]
      bytes.insert(contentsOf: Array(random.pick(texts).utf8), at: index)
    default:
      let values = ["-1", "99999999999999999999", "null", "{}", "2", "1.5", "\"\""]
      bytes.replaceSubrange(index...index, with: Array(random.pick(values).utf8))
    }
  }
}
