import TestSupport
import Testing

@testable import OffshoreWire

struct BlobReferenceTests {
  private static let hash = ContentHash(of: [1, 2, 3])

  @Test func `A reference is a text of the hash, from which it is parsed again`() {
    let reference = BlobReference(Self.hash)
    #expect(reference.text == "blob:\(Self.hash)" && reference.text.utf8.count == 69)
    #expect(BlobReference(reference.text) == reference)
    #expect(BlobReference(reference.text)?.hash == Self.hash)
  }

  @Test(arguments: [
    "", "blob:", "\(hash)", "Blob:\(hash)", "blob: \(hash)", " blob:\(hash)", "blob:\(hash)\n",
    "blob:\(hash)0", "blob:\(hash.description.dropLast())",
    "blob:" + hash.description.uppercased(), "blob:" + String(repeating: "g", count: 64),
    "blob:\u{301}\(hash)", "https://example.com/\(hash)",
  ])
  func `Another text refers to nothing`(text: String) {
    #expect(BlobReference(text) == nil)
  }

  @Test func `A mutated text refers to nothing, or is the text of the blob that it refers to`() {
    var random = SeededRandom(seed: 5)
    let text = Array(BlobReference(ContentHash(of: [1, 2, 3])).text.utf8)
    let awkward = Array("0123456789abcdefABCDEFGblo: \u{0}\n".utf8) + [0xC3, 0xA9]
    var found = 0
    for _ in 0..<5_000 {
      var bytes = text
      for _ in 0...random.number(below: 2) {
        let place = random.number(below: bytes.count)
        switch random.number(below: 3) {
        case 0: bytes[place] = random.pick(awkward)
        case 1: bytes.remove(at: place)
        default: bytes.insert(random.pick(awkward), at: place)
        }
      }
      let mutated = String(decoding: bytes, as: UTF8.self)
      guard let reference = BlobReference(mutated) else { continue }
      found += 1
      #expect(reference.text == mutated)
    }
    // Some digits are only replaced by others.
    #expect(found > 100)
  }
}
