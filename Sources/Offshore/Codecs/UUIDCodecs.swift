public import CSQLite
public import Foundation

/// A codec that stores a UUID as the 36 characters of its uppercase text, as `UUID.uuidString`
/// returns it.
///
/// Lowercase text can be read, too. But comparisons in SQL distinguish the case, so other programs
/// that write to the file have to use uppercase.
@_documentation(visibility: internal)
public enum UUIDText: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (UUID, UUID) { UUIDBlob.samples }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> UUID {
    guard row.storageClass(index) == SQLITE_TEXT,
      let value = HexText.uuid(row.bytes(index))
    else {
      row.fail(index, expected: "a UUID as text")
      return samples.0
    }
    return value
  }

  @inlinable @inline(__always)
  public static func bind(_ value: UUID, _ row: inout RowWriter, _ index: Int32) {
    HexText.withText(of: value) { row.bind(utf8: $0, index) }
  }
}

/// A codec that stores a UUID as its 16 bytes.
@_documentation(visibility: internal)
public enum UUIDBlob: ColumnCodec {
  public static var sqlType: String { "BLOB" }
  public static var samples: (UUID, UUID) {
    (
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
    )
  }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> UUID {
    guard row.storageClass(index) == SQLITE_BLOB else {
      row.fail(index, expected: "the 16 bytes of a UUID")
      return samples.0
    }
    let bytes = row.bytes(index)
    guard bytes.count == 16 else {
      row.fail(index, expected: "the 16 bytes of a UUID")
      return samples.0
    }
    return UUID(
      uuid: UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
        .loadUnaligned(as: uuid_t.self))
  }

  @inlinable @inline(__always)
  public static func bind(_ value: UUID, _ row: inout RowWriter, _ index: Int32) {
    withUnsafeBytes(of: value.uuid) { row.bind(blob: $0, index) }
  }
}

@_documentation(visibility: internal)
extension UUID: ColumnValue { public typealias Codec = UUIDText }
@_documentation(visibility: internal)
extension CodecKind where Codec == UUIDText {
  /// A UUID as 36 uppercase characters, which is the default.
  public static var text: Self { Self() }
}
@_documentation(visibility: internal)
extension CodecKind where Codec == UUIDBlob {
  /// A UUID as a BLOB of 16 bytes.
  public static var blob: Self { Self() }
}
