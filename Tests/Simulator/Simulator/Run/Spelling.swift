import OffshoreWire

extension WireValue {
  /// The value as a person reads it in a trace.
  var spelled: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
    case .blob(let bytes): "x\(bytes.count)"
    }
  }
}

extension Op {
  /// The op as a person reads it in a trace.
  var spelled: String {
    let name =
      switch kind {
      case .put: "put"
      case .patch: "patch"
      case .delete: "delete"
      case .increment: "increment"
      case .move(let scope): "move to \(scope)"
      }
    let fields = fields.sorted { $0.key < $1.key }.map { "\($0)=\($1.spelled)" }
    return "\(name) \(row)@\(generation) \(fields.joined(separator: ","))"
  }
}
