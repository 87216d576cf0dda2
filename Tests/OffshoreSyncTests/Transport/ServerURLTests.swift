import Foundation
import OffshoreSync
import Testing

/// Properties of a server's address.
struct ServerURLTests {
  @Test(arguments: [
    ("http://127.0.0.1:80", true), ("http://127.8.9.1", true), ("http://[::1]:9", true),
    ("http://LOCALHOST", true), ("http://boats.example.org", false), ("http://10.0.0.1", false),
    ("http://127.0.0.1.example.org", false), ("http://localhost.example.org", false),
  ])
  func `Loopback addresses are recognized`(_ address: String, _ isLoopback: Bool) throws {
    #expect(try #require(URL(string: address)).isLoopback == isLoopback)
  }
}
