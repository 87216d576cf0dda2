import Foundation
import OffshoreHTTP

/// The origin of a request, as far as it can be trusted.
struct ClientAddress: Hashable, Sendable {
  /// The network of the client, by which limits are counted.
  let network: String
  /// Whether the request comes from this machine and not through a proxy.
  ///
  /// NB: A proxy on this machine that sets no header field for its clients is recognized only if it
  /// is trusted.
  let isLocal: Bool

  /// Determines the address of the client, behind the trusted proxies.
  ///
  /// Each proxy appends the address of its own client to `X-Forwarded-For`. So the last address
  /// that is not a trusted proxy's counts. The client may have invented all addresses before it.
  init(_ request: Request, trustedProxies: [AddressRange]) {
    let isForwarded = ["X-Forwarded-For", "Forwarded"].contains { request.headers[$0] != nil }
    guard var address = IPAddress(request.remoteAddress) else {
      (network, isLocal) = ("", false)
      return
    }
    func isTrusted(_ address: IPAddress) -> Bool {
      trustedProxies.contains { $0.contains(address) }
    }
    isLocal = address.isLoopback && !isForwarded && !isTrusted(address)
    for hop in request.headers.list("X-Forwarded-For").reversed() {
      guard isTrusted(address), let next = IPAddress(hop: hop) else { break }
      address = next
    }
    network = address.network
  }
}

/// A range of IP addresses with a common prefix, such as `10.0.0.0/8`, or a single address.
public struct AddressRange: Hashable, Sendable {
  private let bytes: [UInt8]
  private let bits: Int

  /// Parses an address, optionally with a slash and the number of bits of the prefix.
  /// - Returns: `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
    let all = address.bytes.count * 8
    guard let bits = parts.count == 2 ? Int(parts[1]) : all, 0...all ~= bits else { return nil }
    bytes = address.bytes
    self.bits = bits
  }

  func contains(_ address: IPAddress) -> Bool {
    guard address.bytes.count == bytes.count else { return false }
    return (0..<bits).allSatisfy { bit in
      (address.bytes[bit / 8] ^ bytes[bit / 8]) & (0x80 >> (bit % 8)) == 0
    }
  }
}

/// A numeric address of IPv4 or IPv6.
struct IPAddress: Hashable {
  /// The 4 or 16 bytes of the address.
  let bytes: [UInt8]

  /// Parses the text of an address. An IPv6 address that maps one of IPv4 becomes that of IPv4.
  /// - Returns: `nil` for any other text.
  init?(_ text: String) {
    // A percent sign introduces the name of a network interface.
    let text = String(text.prefix { $0 != "%" })
    var (four, six) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      let all = withUnsafeBytes(of: six) { Array($0) }
      let isFour = all.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
      bytes = isFour ? Array(all.suffix(4)) : all
    } else {
      return nil
    }
  }

  /// Parses a hop of `X-Forwarded-For`, to which some proxies append the port of the client:
  /// `192.0.2.7:5678`, `[2001:db8::7]:5678`.
  init?(hop: String) {
    if hop.first == "[", let end = hop.firstIndex(of: "]") {
      self.init(String(hop[hop.index(after: hop.startIndex)..<end]))
    } else if hop.count(where: { $0 == ":" }) == 1, let colon = hop.firstIndex(of: ":") {
      self.init(String(hop[..<colon]))
    } else {
      self.init(hop)
    }
  }

  /// Returns the first 48 bits of an IPv6 network, in hexadecimal digits, or `nil` for IPv4.
  static func site(of network: String) -> String? {
    network.utf8.count == 16 ? String(network.prefix(12)) : nil
  }

  /// The network that counts as one client, in hexadecimal digits.
  ///
  /// It is an IPv4 address, or the first 64 bits of an IPv6 address, which a household gets as a
  /// whole (<https://www.rfc-editor.org/rfc/rfc6177>).
  var network: String {
    (bytes.count == 16 ? Array(bytes.prefix(8)) : bytes)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Whether the address is this machine's own.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
  }
}
