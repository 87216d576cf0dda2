import Foundation
import Offshore
import OffshoreWire

/// A value that the server's columns store as a number, a text or bytes.
protocol StorableValue: Equatable, Sendable {
  /// The type of the stored form.
  associatedtype Stored: ColumnValue
  /// Two different values.
  static var samples: (Self, Self) { get }
  /// The stored form of the value.
  var stored: Stored { get }
  /// Creates the value of a stored form.
  /// - Throws: an error if it is not the form of a value.
  init(stored: Stored) throws
}

/// A codec that stores values in their simple form.
enum StoredForm<Value: StorableValue>: ColumnCodec {
  static var sqlType: String { Value.Stored.Codec.sqlType }
  static var samples: (Value, Value) { Value.samples }

  static func read(_ row: inout RowReader, _ index: Int32) -> Value {
    let stored = Value.Stored.Codec.read(&row, index)
    if let value = try? Value(stored: stored) { return value }
    row.fail(index, expected: "the stored form of \(Value.self)")
    return samples.0
  }

  static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32) {
    Value.Stored.Codec.bind(value.stored, &row, index)
  }
}

extension CodecKind {
  /// The stored form of a value of the server.
  static func stored<Value>() -> Self where Codec == StoredForm<Value> { Self() }
}

// MARK: - Names and numbers

extension ScopeID: StorableValue {
  static let samples = (sample("a"), sample("b"))
  var stored: String { text }
  init(stored: String) throws { try self.init(stored) }

  private static func sample(_ value: String) -> ScopeID {
    guard let scope = try? ScopeID(kind: "sample", value: value) else {
      preconditionFailure("A sample is no scope. Correct it.")
    }
    return scope
  }
}

extension Role: StorableValue {
  static var samples: (Role, Role) { (.owner, .editor) }
  var stored: Int64 { Int64(rawValue) }
  init(stored: Int64) throws {
    guard let role = UInt8(exactly: stored).flatMap(Role.init) else { throw NoStoredForm() }
    self = role
  }
}

extension RowState.Presence: StorableValue {
  static var samples: (Self, Self) { (.living, .deleted) }
  var stored: Int64 { Int64(rawValue) }
  init(stored: Int64) throws {
    guard let presence = UInt8(exactly: stored).flatMap(Self.init) else { throw NoStoredForm() }
    self = presence
  }
}

extension UInt64: StorableValue {
  static var samples: (UInt64, UInt64) { (1, 2) }
  var stored: Int64 { Int64(bitPattern: self) }
  init(stored: Int64) { self.init(bitPattern: stored) }
}

extension Digest: StorableValue {
  static var samples: (Digest, Digest) { (Digest(value: 1), Digest(value: 2)) }
  var stored: Int64 { Int64(bitPattern: value) }
  init(stored: Int64) { self.init(value: UInt64(bitPattern: stored)) }
}

/// The error of a stored number that stands for no value.
private struct NoStoredForm: Error {}

// MARK: - Bytes

extension DeviceID: StorableValue {
  static var samples: (DeviceID, DeviceID) {
    (DeviceID(UUIDBlob.samples.0), DeviceID(UUIDBlob.samples.1))
  }
  var stored: Data { Data(encoded()) }
  init(stored: Data) throws { try self.init(decoding: Array(stored)) }
}

extension ContentHash: StorableValue {
  static let samples = (ContentHash(of: [0]), ContentHash(of: [1]))
  var stored: Data { Data(bytes) }
  init(stored: Data) throws { try self.init(bytes: Array(stored)) }
}

/// The encoding of a value, as in messages. No statement selects its parts.
struct EncodedValue: Equatable, Sendable {
  let bytes: [UInt8]

  init(_ value: some WireCodable) { bytes = value.encoded() }
  fileprivate init(bytes: [UInt8]) { self.bytes = bytes }
}

extension EncodedValue: ColumnValue {
  enum Codec: ColumnCodec {
    static let sqlType = DataCodec.sqlType
    static let samples = (EncodedValue(bytes: [0]), EncodedValue(bytes: [1]))

    static func read(_ row: inout RowReader, _ index: Int32) -> EncodedValue {
      EncodedValue(bytes: Array(DataCodec.read(&row, index)))
    }

    static func bind(_ value: EncodedValue, _ row: inout RowWriter, _ index: Int32) {
      value.bytes.withUnsafeBytes { row.bind(blob: $0, index) }
    }
  }
}

// MARK: - Accounts

extension AccountID: StorableValue {
  static var samples: (AccountID, AccountID) {
    (AccountID(UUIDBlob.samples.0), AccountID(UUIDBlob.samples.1))
  }
  var stored: Data { Data(uuid.encoded()) }
  init(stored: Data) throws { self.init(try UUID(decoding: Array(stored))) }
}

extension AccountName: StorableValue {
  static let samples = (AccountName(valid: "aaa"), AccountName(valid: "bbb"))
  var stored: String { text }
  init(stored: String) throws { try self.init(stored) }
}

extension PasswordHash: StorableValue {
  static var samples: (PasswordHash, PasswordHash) {
    (PasswordHash(stored: "a"), PasswordHash(stored: "b"))
  }
  var stored: String { text }
}
