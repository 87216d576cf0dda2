import Foundation
import Offshore
import OffshoreWire

/// A value that a table of the device stores as a BLOB, in the encoding of messages.
protocol StoredMessage: WireCodable, Equatable {
  /// Two different values, by which the check of a table's declaration distinguishes columns.
  static var samples: (Self, Self) { get }
}

/// A codec that stores a value in the encoding of messages; other bytes are an error.
enum MessageCodec<Value: StoredMessage>: ColumnCodec {
  static var sqlType: String { "BLOB" }
  static var samples: (Value, Value) { Value.samples }

  static func read(_ row: inout RowReader, _ index: Int32) -> Value {
    guard row.storageClass(index) == StoredValue.blobClass,
      let value = try? Value(decoding: Array(row.bytes(index)))
    else {
      row.fail(index, expected: "an encoded value, \(Value.self)")
      return samples.0
    }
    return value
  }

  static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32) {
    value.encoded().withUnsafeBytes { row.bind(blob: $0, index) }
  }
}

/// The kind of a column that stores values in the encoding of messages.
struct MessageKind: Sendable {
  static let message = MessageKind()
}

extension Column {
  /// Declares a column that stores values in the encoding of messages.
  init<Value: StoredMessage>(
    _ name: String, _ keyPath: any KeyPath<Row, Value> & Sendable, as kind: MessageKind
  ) where Codec == MessageCodec<Value> {
    self.init(name, keyPath, as: CodecKind())
  }

  /// Declares a column that stores optional values in the encoding of messages, and `nil` as NULL.
  init<Value: StoredMessage>(
    _ name: String, _ keyPath: any KeyPath<Row, Value?> & Sendable, as kind: MessageKind
  ) where Codec == Nullable<MessageCodec<Value>> {
    self.init(name, keyPath, as: CodecKind<MessageCodec<Value>>())
  }
}

// MARK: - Samples

extension DeviceID: StoredMessage {
  static let samples = (
    DeviceID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
    DeviceID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
  )
}

extension Stamp: StoredMessage {
  static var samples: (Stamp, Stamp) {
    let (first, second) = DeviceID.samples
    return (Stamp(milliseconds: 0, device: first), Stamp(milliseconds: 0, device: second))
  }
}

extension RowState: StoredMessage {
  static var samples: (RowState, RowState) {
    let (first, second) = Stamp.samples
    return (
      RowState(generation: 1, presence: .deleted, stamp: first),
      RowState(generation: 1, presence: .deleted, stamp: second)
    )
  }
}

extension RowVersion: StoredMessage {
  static var samples: (RowVersion, RowVersion) {
    let (first, second) = RowState.samples
    return (RowVersion(first, in: nil), RowVersion(second, in: nil))
  }
}

extension Op: StoredMessage {
  static var samples: (Op, Op) {
    let (row, (first, second)) = (RowID(table: "", id: ""), Stamp.samples)
    return (
      Op(.delete, row, generation: 1, stamp: first), Op(.delete, row, generation: 1, stamp: second)
    )
  }
}
