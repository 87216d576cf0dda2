import Foundation
import OffshoreSync
import Testing

/// What is told of a server by its address alone.
struct ServerURLTests {
  @Test(arguments: [
    ("http://127.0.0.1:80", true), ("http://127.8.9.1", true), ("http://[::1]:9", true),
    ("http://LOCALHOST", true), ("http://boats.example.org", false), ("http://10.0.0.1", false),
    ("http://127.0.0.1.example.org", false), ("http://localhost.example.org", false),
  ])
  func `This machine is known by its addresses`(_ address: String, _ isLoopback: Bool) throws {
    #expect(try #require(URL(string: address)).isLoopback == isLoopback)
  }
}
