public import Foundation

extension UUID {
  /// The UUID of a name in a namespace: version 5 of RFC 9562, the same on every device.
  ///
  /// See <https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-5>.
  public init(name: String, in namespace: UUID) {
    let space = withUnsafeBytes(of: namespace.uuid) { Array($0) }
    var bytes = Array(SHA1.digest(of: space + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
