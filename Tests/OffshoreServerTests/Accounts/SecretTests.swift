import Testing

@testable import OffshoreServer

struct SecretTests {
  @Test func `A secret is parsed from its text, which needs no escaping`() {
    for _ in 0..<500 {
      let secret = Secret.random()
      #expect(secret.text.utf8.count == 43)
      #expect(
        secret.text.utf8.allSatisfy { byte in
          UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_".utf8.contains(byte)
        })
      #expect(Secret(secret.text) == secret)
      #expect(Secret(secret.text)?.hash == secret.hash)
    }
  }

  @Test func `Random secrets differ, and so do their hashes`() {
    let secrets = (0..<1_000).map { _ in Secret.random() }
    #expect(Set(secrets).count == 1_000 && Set(secrets.map(\.hash)).count == 1_000)
  }

  @Test func `A text of another form is not a secret`() throws {
    let text = Secret(bytes: Array(repeating: 0xFF, count: 32)).text
    #expect(text == String(repeating: "_", count: 42) + "8")
    // The last character encodes four bits of the secret. Its two other bits are 0.
    let strange = [
      "", "x", text + "=", String(text.dropLast()), text + "A", text.replacing("_", with: "/"),
      String(text.dropLast()) + "9", String(text.dropLast()) + " ", String(text.dropLast()) + "é",
    ]
    for other in strange { #expect(Secret(other) == nil, "\(other)") }
  }
}
