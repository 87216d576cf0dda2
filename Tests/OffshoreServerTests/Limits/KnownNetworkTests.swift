import OffshoreWire
import Testing

@testable import OffshoreServer

/// Limits of sign-ins from many networks, and the addresses that proxies report.
struct KnownNetworkTests {
  private static func network(_ number: Int) -> String {
    "20010db80001" + String(number + 4_096, radix: 16)
  }

  @Test func `Guesses from many networks do not lock out a known one`() throws {
    let limits = RequestLimits()
    limits.recordSignIn(of: "ida", from: "c0000207")
    for number in 0..<600 {
      _ = try? limits.countGuess(of: "ida", from: Self.network(number), at: 0)
    }
    #expect(throws: WireProblem.self) {
      try limits.countGuess(of: "ida", from: Self.network(700), at: 0)
    }
    #expect(try limits.countGuess(of: "ida", from: "c0000207", at: 0))
  }

  @Test func `Networks with the same 48 bits share a limit`() {
    let limits = RequestLimits()
    var accepted = 0
    for number in 0..<200 where (try? limits.countRequest(from: Self.network(number), at: 0)) != nil
    {
      accepted += 1
    }
    #expect(accepted == 60)
  }

  @Test(arguments: [
    ("192.0.2.7", "192.0.2.7"), ("192.0.2.7:5678", "192.0.2.7"), ("2001:db8::7", "2001:db8::7"),
    ("[2001:db8::7]:5678", "2001:db8::7"), ("[2001:db8::7]", "2001:db8::7"),
  ])
  func `The port of a hop is ignored`(_ hop: String, _ address: String) {
    #expect(IPAddress(hop: hop) == IPAddress(address))
    #expect(IPAddress(hop: hop) != nil)
  }

  @Test(arguments: ["", "[", "unknown", "1.2.3.4:", ":1", "[1.2.3"])
  func `Any other hop is no address or that before the port`(_ hop: String) {
    #expect(IPAddress(hop: hop) == nil || hop == "1.2.3.4:")
  }
}
