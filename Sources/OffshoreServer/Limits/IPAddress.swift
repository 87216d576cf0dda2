import Foundation

/// A numeric address, of version 4 or 6 of IP.
struct IPAddress: Hashable {
  /// 4 bytes or 16.
  let bytes: [UInt8]

  /// Reads an address as sockets tell it. One of version 4 in the form of version 6 is of version 4.
  /// - Returns: `nil` for anything else.
  init?(_ text: String) {
    // What follows a percent sign tells an interface of this machine.
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

  /// What is counted as one: an address of version 4, and the 64 bits of version 6 that a household gets
  /// (<https://www.rfc-editor.org/rfc/rfc6177>).
  var network: String {
    (bytes.count == 16 ? Array(bytes.prefix(8)) : bytes)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Whether it is this machine.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
  }
}
