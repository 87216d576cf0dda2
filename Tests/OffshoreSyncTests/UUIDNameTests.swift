import Foundation
import Testing

@testable import OffshoreSync

struct UUIDNameTests {
  private let dns = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")

  @Test func `A name has the version 5 UUID of the standard's example`() throws {
    let id = UUID(name: "www.example.com", in: try #require(dns))
    #expect(id.uuidString == "2ED6657D-E927-568B-95E1-2665A8AEA6A2")
  }

  @Test func `UUIDs differ if their names or namespaces differ`() throws {
    let (first, second) = (UUID(), UUID())
    #expect(UUID(name: "a", in: first) == UUID(name: "a", in: first))
    #expect(UUID(name: "a", in: first) != UUID(name: "b", in: first))
    #expect(UUID(name: "a", in: first) != UUID(name: "a", in: second))
  }

  @Test(
    arguments: [
      ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
      (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
  func `SHA-1 gives the digests of its standard`(_ message: String, _ digest: String) {
    let bytes = SHA1.digest(of: Array(message.utf8))
    #expect(bytes.map { String(Int($0) + 0x100, radix: 16).suffix(2) }.joined() == digest)
  }

  @Test func `Messages around the size of a block are padded correctly`() {
    // The digests of 55, 56, 63, 64 and 65 letters differ, as do the lengths in the padding.
    let digests = [55, 56, 63, 64, 65].map { SHA1.digest(of: Array(repeating: 97, count: $0)) }
    #expect(Set(digests).count == 5)
    let hex = digests[3].map { String(Int($0) + 0x100, radix: 16).suffix(2) }.joined()
    #expect(hex == "0098ba824b5c16427bd7a1122a5a442a25ec644d")
  }
}
