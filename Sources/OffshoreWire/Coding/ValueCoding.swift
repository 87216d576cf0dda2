public import Foundation

/// The encoding has a tag, then the content.
extension WireValue: WireCodable {
  /// The tags of values. 0 stands for a missing value.
  enum Tag: UInt8 {
    case null = 1
    case integer, real, text, blob
  }

  /// The tag that is encoded before the content.
  var tag: Tag {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  public func encode(into writer: inout WireWriter) {
    writer.byte(tag.rawValue)
    encodeContent(into: &writer)
  }

  func encodeContent(into writer: inout WireWriter) {
    switch self {
    case .null: break
    case .integer(let value): writer.signed(value)
    case .real(let value): writer.real(value)
    case .text(let bytes), .blob(let bytes): writer.block(bytes)
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    guard let tag = Tag(rawValue: try reader.byte()) else {
      throw reader.malformed("A value is of no known kind.")
    }
    try self.init(tag, from: &reader)
  }

  init(_ tag: Tag, from reader: inout WireReader) throws(WireError) {
    switch tag {
    case .null: self = .null
    case .integer: self = .integer(try reader.signed())
    case .real: self = .real(try reader.real())
    case .text: self = .text(try reader.block())
    case .blob: self = .blob(try reader.block())
    }
  }
}

/// The encoding has the table, then the id.
extension RowID: WireCodable {
  public static var leastByteCount: Int { 2 }

  public func encode(into writer: inout WireWriter) {
    writer.text(table)
    writer.text(id)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(table: try reader.name(), id: try reader.name())
  }
}

/// The encoding has the kind, then the value.
extension ScopeID: WireCodable {
  public static var leastByteCount: Int { 4 }

  public func encode(into writer: inout WireWriter) {
    writer.text(kind)
    writer.text(value)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    let (kind, value) = (try reader.name(), try reader.name())
    do {
      try self.init(kind: kind, value: value)
    } catch {
      throw reader.malformed(error.message)
    }
  }
}

/// The encoding has the 16 bytes.
extension DeviceID: WireCodable {
  public static var leastByteCount: Int { 16 }

  public func encode(into writer: inout WireWriter) {
    writer.fixed(high.byteSwapped)
    writer.fixed(low.byteSwapped)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(high: try reader.fixed().byteSwapped, low: try reader.fixed().byteSwapped)
  }
}

/// The encoding has the 32 bytes.
extension ContentHash: WireCodable {
  public static var leastByteCount: Int { byteCount }

  public func encode(into writer: inout WireWriter) { writer.raw(bytes) }

  public init(from reader: inout WireReader) throws(WireError) {
    try self.init(bytes: try reader.raw(Self.byteCount))
  }
}

/// The encoding has the 16 bytes.
extension UUID: WireCodable {
  public static var leastByteCount: Int { DeviceID.leastByteCount }

  public func encode(into writer: inout WireWriter) { DeviceID(self).encode(into: &writer) }

  public init(from reader: inout WireReader) throws(WireError) {
    self = try DeviceID(from: &reader).uuid
  }
}
