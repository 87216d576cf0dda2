import Foundation

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
