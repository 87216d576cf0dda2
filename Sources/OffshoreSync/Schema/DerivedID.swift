public import Offshore
import OffshoreWire

/// An id that is derived from the parts that identify a row. The result is the same on every device.
///
/// If two devices can create the same row independently, they derive its id from the columns that
/// identify it. Declare these columns as `idSource` of its ``SyncTable``:
///
/// ```swift
/// let seat = Seat(id: DerivedID(charterID.uuidString, personID.uuidString), …)
/// SyncTable(Seat.self, scope: …, idSource: [\.charterID, \.personID])
/// ```
///
/// The function `derived_id` of SQL returns the same text on the connections of a ``SyncedStore``, for
/// example in a migration: `derived_id(charterID, personID)`. A UUID column has upper-case text, as
/// `uuidString` returns it.
///
/// It has 24 characters: lower-case letters and the digits 2 to 7, the base32 of the first 15 bytes of
/// the BLAKE2b-256 hash of the parts. The length of each part is hashed before it, so that `"ab", "c"`
/// and `"a", "bc"` differ. A specification that names version 5 UUIDs has `UUID(name:in:)`.
public struct DerivedID: Hashable, Sendable {
  /// The 24 characters.
  public let text: String

  /// Derives an id.
  /// - Parameter parts: the values that identify the row, in an order that stays the same.
  public init(_ parts: String...) { self.init(parts) }

  private init(_ parts: [String]) {
    var writer = WireWriter()
    for part in parts { writer.text(part) }
    text = Self.base32(ContentHash(of: writer.bytes).bytes.prefix(Self.byteCount))
  }

  fileprivate init(stored text: String) { self.text = text }

  private static let byteCount = 15
  private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567")

  /// Returns the digits of bytes, of which there are a multiple of five
  /// (<https://www.rfc-editor.org/rfc/rfc4648#section-6>).
  private static func base32(_ bytes: some Sequence<UInt8>) -> String {
    var (text, bits, bitCount) = ("", 0, 0)
    for byte in bytes {
      (bits, bitCount) = (bits << 8 | Int(byte), bitCount + 8)
      while bitCount >= 5 {
        bitCount -= 5
        text.append(digits[bits >> bitCount & 31])
      }
      bits &= 1 << bitCount - 1
    }
    return text
  }

  /// Adds the function `derived_id` to SQL on a connection.
  static func addFunction(to connection: Connection) throws {
    try connection.addTextFunction(named: "derived_id") { DerivedID($0).text }
  }
}

extension DerivedID: CustomStringConvertible {
  /// The 24 characters.
  public var description: String { text }
}

extension DerivedID: ColumnValue { public typealias Codec = DerivedIDCodec }

/// A codec that stores a ``DerivedID`` as its text.
@_documentation(visibility: internal)
public enum DerivedIDCodec: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (DerivedID, DerivedID) { (DerivedID("0"), DerivedID("1")) }

  public static func read(_ row: inout RowReader, _ index: Int32) -> DerivedID {
    DerivedID(stored: StringCodec.read(&row, index))
  }

  public static func bind(_ value: DerivedID, _ row: inout RowWriter, _ index: Int32) {
    StringCodec.bind(value.text, &row, index)
  }
}
