/// The encoding has the row, the field, the losing value with its stamp, the winning value with its
/// stamp, then the reason.
extension Conflict: WireCodable {
  public static var leastByteCount: Int { RowID.leastByteCount + 2 * Stamp.leastByteCount + 4 }

  public func encode(into writer: inout WireWriter) {
    writer.value(row)
    writer.text(field)
    writer.value(losing)
    writer.value(losingStamp)
    writer.optional(winning)
    writer.value(winningStamp)
    writer.byte(reason.code)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    row = try reader.value()
    field = try reader.name()
    losing = try reader.value()
    losingStamp = try reader.value()
    winning = try reader.optional()
    winningStamp = try reader.value()
    guard let reason = Reason(code: try reader.byte()) else {
      throw reader.malformed("A conflict was decided in no known way.")
    }
    self.reason = reason
  }
}

extension Conflict.Reason {
  private static let all: [Conflict.Reason] = [.later, .arrival, .rule, .ended]

  fileprivate var code: UInt8 {
    switch self {
    case .later: 1
    case .arrival: 2
    case .rule: 3
    case .ended: 4
    }
  }

  fileprivate init?(code: UInt8) {
    guard let reason = Self.all.first(where: { $0.code == code }) else { return nil }
    self = reason
  }
}
