import OffshoreHTTP
import Testing

@testable import OffshoreServer

/// The addresses by which a server identifies clients.
struct ClientAddressTests {
  private func network(
    _ address: String, _ forwarded: [String] = [], trusted: [String] = []
  ) -> String {
    var request = Request(.get, "/", remoteAddress: address)
    for value in forwarded { request.headers.add("X-Forwarded-For", value) }
    return ClientAddress(request, trustedProxies: trusted.compactMap { AddressRange($0) }).network
  }

  @Test func `An IPv6 network is the first 64 bits of an address, an IPv4 network all of it`() {
    #expect(network("2001:db8:1:2:3::4") == network("2001:db8:1:2:ffff::1"))
    #expect(network("2001:db8:1:2::1") != network("2001:db8:1:3::1"))
    #expect(network("192.0.2.1") != network("192.0.2.2"))
    #expect(network("::ffff:192.0.2.1") == network("192.0.2.1"))
    #expect(network("fe80::1%eth0") == network("fe80::2"))
    #expect(network("") == "" && network("nonsense") == "")
  }

  @Test func `Only a trusted proxy's header is used, up to its last untrusted address`() {
    let proxy = ["10.0.0.0/8", "fd00::/16"]
    #expect(network("192.0.2.1", ["198.51.100.7"], trusted: proxy) == network("192.0.2.1"))
    #expect(network("10.1.2.3", ["198.51.100.7"], trusted: proxy) == network("198.51.100.7"))
    // Entries that the client itself added come before the proxy's.
    #expect(
      network("10.1.2.3", ["127.0.0.1, 198.51.100.7"], trusted: proxy) == network("198.51.100.7"))
    #expect(
      network("10.1.2.3", ["1.1.1.1,198.51.100.7 , 10.9.9.9", "fd00::1"], trusted: proxy)
        == network("198.51.100.7"))
    #expect(network("10.1.2.3", ["evil, 10.0.0.4"], trusted: proxy) == network("10.0.0.4"))
    #expect(network("10.1.2.3", [], trusted: proxy) == network("10.1.2.3"))
  }

  @Test func `A client behind a proxy is not local`() {
    for (address, field, isLocal) in [
      ("127.0.0.1", nil, true), ("::1", nil, true), ("127.0.0.1", "X-Forwarded-For", false),
      ("127.0.0.1", "Forwarded", false), ("192.0.2.1", nil, false), ("", nil, false),
    ] {
      var request = Request(.get, "/", remoteAddress: address)
      if let field { request.headers.add(field, "127.0.0.1") }
      #expect(ClientAddress(request, trustedProxies: []).isLocal == isLocal)
    }
    let proxy = [AddressRange("127.0.0.1"), AddressRange("::1")].compactMap(\.self)
    for address in ["127.0.0.1", "::1"] {
      // Without the header the client behind the proxy is unknown.
      let request = Request(.get, "/", remoteAddress: address)
      #expect(!ClientAddress(request, trustedProxies: proxy).isLocal)
    }
  }

  @Test(arguments: [
    "", "x", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "10.0.0.0/8/8", "/8", "10.0.0",
  ])
  func `A malformed range is refused`(text: String) { #expect(AddressRange(text) == nil) }

  @Test func `A range contains the addresses with its prefix`() throws {
    for (range, inside, outside) in [
      ("10.0.0.0/8", "10.255.1.1", "11.0.0.0"), ("192.0.2.4/30", "192.0.2.7", "192.0.2.8"),
      ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"), ("::1", "::1", "::2"),
      ("0.0.0.0/0", "255.1.1.1", "::1"),
    ] {
      let range = try #require(AddressRange(range))
      #expect(range.contains(try #require(IPAddress(inside))))
      #expect(!range.contains(try #require(IPAddress(outside))))
    }
  }
}
