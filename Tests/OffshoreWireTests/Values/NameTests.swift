import Foundation
import Testing

@testable import OffshoreWire

struct ScopeIDTests {
  @Test func `A scope is its kind, a slash and its value`() throws {
    let scope = try ScopeID("charter/7F-a:b@c.d")
    #expect(scope.kind == "charter")
    #expect(scope.value == "7F-a:b@c.d")
    #expect(try ScopeID(kind: "charter", value: "7F-a:b@c.d") == scope)
    #expect(scope.text == "charter/7F-a:b@c.d")
    #expect("\(scope)" == scope.text)
  }

  @Test(arguments: [
    "", "charter", "/7", "charter/", "7/7", "_charter/7", "char-ter/7", "charter/7/8",
    "charter/a b",
    "charter/é", "charter/\u{7F}", "châr/7",
    "charter/\(String(repeating: "a", count: 201))", "\(String(repeating: "a", count: 65))/7",
  ])
  func `A malformed scope is refused`(text: String) throws {
    try expect(.invalidName) { _ = try ScopeID(text) }
  }

  @Test func `The longest kind and value are allowed`() throws {
    let text = String(repeating: "k", count: 64) + "/" + String(repeating: "v", count: 200)
    #expect(try ScopeID(text).text == text)
  }

  @Test func `Scopes are ordered by kind, then value`() throws {
    let scopes = try ["b/1", "a/2", "a/1"].map { text in try ScopeID(text) }
    #expect(scopes.sorted().map(\.text) == ["a/1", "a/2", "b/1"])
  }
}

struct DeviceIDTests {
  @Test func `A device has the bytes of its UUID`() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let device = DeviceID(uuid)
    #expect(device.uuid == uuid)
    #expect("\(device)" == "00112233-4455-6677-8899-AABBCCDDEEFF")
    let bytes = (0..<16).map { (index: Int) -> UInt8 in UInt8(index * 0x11) }
    #expect(device.encoded() == bytes)
  }

  @Test func `Devices are ordered by their bytes`() {
    let devices = [
      DeviceID(high: 1, low: 0), DeviceID(high: 0, low: .max), DeviceID(high: 0, low: 1),
    ]
    #expect(devices.sorted() == devices.reversed())
  }
}

struct RowIDTests {
  @Test func `Rows are ordered by table, then id`() {
    let rows = ["b/1", "a/2", "a/1"].map { text in
      RowID(table: String(text.prefix(1)), id: String(text.suffix(1)))
    }
    #expect(rows.sorted().map(\.description) == ["a/1", "a/2", "b/1"])
  }
}

struct ContentHashTests {
  @Test func `A hash is BLAKE2b with 32 bytes`() {
    #expect(
      "\(ContentHash(of: Array("abc".utf8)))"
        == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    #expect(
      "\(ContentHash(of: []))" == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"
    )
  }

  @Test func `The short hash is the first 8 bytes of BLAKE2b with 16 bytes`() {
    #expect(BLAKE2b.hash64(Array("abc".utf8)) == 3_138_212_647_195_331_279)
  }

  @Test func `A hash is made from exactly 32 bytes`() throws {
    let hash = ContentHash(of: [1])
    #expect(try ContentHash(bytes: hash.bytes) == hash)
    try expect(.invalidName) { _ = try ContentHash(bytes: [1]) }
  }

  @Test func `A hash is parsed from its description, and from nothing else`() {
    let text = "\(ContentHash(of: [1]))"
    #expect(ContentHash(hexadecimal: text) == ContentHash(of: [1]))
    for other in [
      "", text.uppercased(), text + "0", String(text.dropLast()), "g" + text.dropFirst(),
    ] {
      #expect(ContentHash(hexadecimal: other) == nil)
    }
  }
}

struct WireErrorTests {
  @Test func `An error's description has its place and its offset in the bytes`() {
    #expect("\(WireError(.malformed, "No."))" == "malformed: No.")
    #expect("\(WireError(.truncated, "No.", offset: 7))" == "truncated (byte 7): No.")
    #expect(
      "\(WireError(.invalidManifest, "No.", offset: 7, place: "tables.a"))"
        == "invalidManifest (tables.a, byte 7): No.")
  }
}
