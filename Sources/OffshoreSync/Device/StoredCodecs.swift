public import Offshore
public import OffshoreWire

// The codecs of columns whose values are neither messages nor of a type that has a codec.

/// A codec that stores the text of a scope; another text is an error.
enum ScopeCodec: ColumnCodec {
  static var sqlType: String { "TEXT" }

  static let samples: (ScopeID, ScopeID) = {
    guard let first = try? ScopeID("a/1"), let second = try? ScopeID("a/2") else {
      preconditionFailure("These are valid scopes. Correct the rule of their names.")
    }
    return (first, second)
  }()

  static func read(_ row: inout RowReader, _ index: Int32) -> ScopeID {
    guard let scope = try? ScopeID(StringCodec.read(&row, index)) else {
      row.fail(index, expected: "a kind of scope, a slash and a value")
      return samples.0
    }
    return scope
  }

  static func bind(_ value: ScopeID, _ row: inout RowWriter, _ index: Int32) {
    StringCodec.bind(value.text, &row, index)
  }
}

extension CodecKind where Codec == ScopeCodec {
  /// A scope as its text.
  static var scope: Self { Self() }
}

// A scope sorts by its text, because a slash sorts before all other characters of a kind.
extension ScopeID: SQLComparable, SQLText {}

/// A codec that stores the bits of an unsigned number as a signed one.
enum BitsCodec: ColumnCodec {
  static var sqlType: String { "INTEGER" }
  static var samples: (UInt64, UInt64) { (0, 1) }

  static func read(_ row: inout RowReader, _ index: Int32) -> UInt64 {
    UInt64(bitPattern: Int64Codec.read(&row, index))
  }

  static func bind(_ value: UInt64, _ row: inout RowWriter, _ index: Int32) {
    row.bind(Int64(bitPattern: value), index)
  }
}

extension CodecKind where Codec == BitsCodec {
  /// An unsigned number as the signed number with the same bits.
  static var bits: Self { Self() }
}

/// A codec that stores the bits of a digest as a signed number.
enum DigestCodec: ColumnCodec {
  static var sqlType: String { BitsCodec.sqlType }
  static var samples: (Digest, Digest) { (Digest(), Digest(value: 1)) }

  static func read(_ row: inout RowReader, _ index: Int32) -> Digest {
    Digest(value: BitsCodec.read(&row, index))
  }

  static func bind(_ value: Digest, _ row: inout RowWriter, _ index: Int32) {
    BitsCodec.bind(value.value, &row, index)
  }
}

extension CodecKind where Codec == DigestCodec {
  /// A digest as the signed number with the same bits.
  static var bits: Self { Self() }
}

/// A codec that stores the role of an account. NULL and the number of an unknown role are `nil`.
enum RoleCodec: ColumnCodec {
  static var sqlType: String { "INTEGER" }
  static var isNullable: Bool { true }
  static var samples: (Role?, Role?) { (nil, .owner) }

  static func read(_ row: inout RowReader, _ index: Int32) -> Role? {
    Int64Codec.readOptional(&row, index).flatMap { Role(rawValue: UInt8(clamping: $0)) }
  }

  static func bind(_ value: Role?, _ row: inout RowWriter, _ index: Int32) {
    if let value { row.bind(Int64(value.rawValue), index) } else { row.bindNull(index) }
  }
}

extension CodecKind where Codec == RoleCodec {
  /// A role as its number.
  static var role: Self { Self() }
}

/// A codec that stores the step of a repair as its number. An unknown number is `none`, so that a
/// damaged one does not keep all scopes from syncing.
enum DoubtCodec: ColumnCodec {
  static var sqlType: String { "INTEGER" }
  static var samples: (ScopeCursor.Doubt, ScopeCursor.Doubt) { (.none, .asking) }

  static func read(_ row: inout RowReader, _ index: Int32) -> ScopeCursor.Doubt {
    ScopeCursor.Doubt(rawValue: Int64Codec.read(&row, index)) ?? .none
  }

  static func bind(_ value: ScopeCursor.Doubt, _ row: inout RowWriter, _ index: Int32) {
    row.bind(value.rawValue, index)
  }
}

extension CodecKind where Codec == DoubtCodec {
  /// The step of a repair as its number.
  static var doubt: Self { Self() }
}

/// A codec for columns without a declared type or constraint, whose values are never NULL.
enum UntypedCodec<Wrapped: ColumnCodec>: ColumnCodec {
  static var sqlType: String { "" }
  static var isNullable: Bool { true }
  static var samples: (Wrapped.Value, Wrapped.Value) { Wrapped.samples }

  static func read(_ row: inout RowReader, _ index: Int32) -> Wrapped.Value {
    Wrapped.read(&row, index)
  }

  static func bind(_ value: Wrapped.Value, _ row: inout RowWriter, _ index: Int32) {
    Wrapped.bind(value, &row, index)
  }
}

extension CodecKind where Codec == UntypedCodec<Int64Codec> {
  /// An integer in a column without a declared type.
  static var untyped: Self { Self() }
}

extension CodecKind where Codec == UntypedCodec<RawValueCodec<CaptureTriggers.Kind>> {
  /// The kind of a captured change in a column without a declared type.
  static var untyped: Self { Self() }
}
