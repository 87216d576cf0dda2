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
}
