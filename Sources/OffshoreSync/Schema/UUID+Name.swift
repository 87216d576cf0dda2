public import Foundation

extension UUID {
  /// Derives a UUID from a name in a namespace. The result is the same on every device.
  ///
  /// If two devices can create the same row independently, they derive its id from the columns that
  /// identify it. Declare these columns as `idSource` of its ``SyncTable``:
  ///
  /// ```swift
  /// let seat = Seat(id: UUID(name: personID.uuidString, in: charterID), …)
  /// SyncTable(Seat.self, scope: …, idSource: [\.charterID, \.personID])
  /// ```
  ///
  /// It is a UUID of version 5: SHA-1 over the namespace's 16 bytes and the name's UTF-8
  /// (<https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-5>). The case of the name counts:
  /// `uuidString` is in upper case.
  public init(name: String, in namespace: UUID) {
    let space = withUnsafeBytes(of: namespace.uuid) { Array($0) }
    var bytes = Array(SHA1.digest(of: space + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
