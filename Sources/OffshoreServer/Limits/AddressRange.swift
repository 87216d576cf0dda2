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
