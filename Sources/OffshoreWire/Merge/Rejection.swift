/// The reason for which an op is refused, as a code for the program and a message for the user.
public struct Rejection: Error, Hashable, Sendable {
  /// The kind of reason.
  public let code: Code
  /// The reason and its remedy, in a sentence or two without any value of a row.
  public let message: String
  /// The row that the op was for; `nil` if its name has far more bytes than one may have.
  public let row: RowID?
  /// The affected field; `nil` if its name has far more bytes than one may have.
  public let field: String?

  /// The most bytes of a row's or a field's name, which is stored with a rejection.
  private static let nameBytes = 1_024

  /// Creates a rejection.
  package init(_ code: Code, _ message: String, row: RowID? = nil, field: String? = nil) {
    self.code = code
    self.message = message
    self.row = row.flatMap {
      $0.table.utf8.count + $0.id.utf8.count <= Self.nameBytes ? $0 : nil
    }
    self.field = field.flatMap { $0.utf8.count <= Self.nameBytes ? $0 : nil }
  }
}

extension Rejection {
  /// A kind of reason. A newer server may send one that is not listed here.
  public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The name of the code in messages.
    public let rawValue: String

    /// Creates the code with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// The table is not synced.
    public static let unknownTable = Code("unknownTable")
    /// The table has no such synced column, or the column is not merged by its keys.
    public static let unknownColumn = Code("unknownColumn")
    /// A value cannot be stored in its column.
    public static let invalidValue = Code("invalidValue")
    /// The op contradicts itself: its kind, id, generation or fields do not fit together.
    public static let invalidOp = Code("invalidOp")
    /// A value is larger than ``WireLimits`` allows.
    public static let tooLarge = Code("tooLarge")
    /// The row belongs to another scope than the batch.
    public static let wrongScope = Code("wrongScope")
    /// The row was deleted, or never existed.
    public static let gone = Code("gone")
    /// The op builds on one that was not accepted.
    public static let dependency = Code("dependency")
    /// The row refers to a row that was deleted or is in another scope.
    public static let missingReference = Code("missingReference")
    /// The account may not change this scope.
    public static let forbidden = Code("forbidden")
    /// The account has reached a limit.
    public static let limitReached = Code("limitReached")
    /// The scope would have no owner left.
    public static let lastOwner = Code("lastOwner")
    /// The scope has as many members as its kind allows.
    public static let scopeFull = Code("scopeFull")
    /// The account has as many memberships in scopes of the kind as allowed.
    public static let accountFull = Code("accountFull")

    /// The name of the code.
    public var description: String { rawValue }
  }
}

extension Rejection: CustomStringConvertible {
  /// The code and the message, with the table and the field.
  public var description: String {
    let place = [row?.table, field].compactMap(\.self).joined(separator: ".")
    return place.isEmpty ? "\(code): \(message)" : "\(code) (\(place)): \(message)"
  }
}

/// The encoding has the code, the message, then the optional row and field.
extension Rejection: WireCodable {
  package static var leastByteCount: Int { 4 }

  package func encode(into writer: inout WireWriter) {
    writer.text(code.rawValue)
    writer.text(message)
    writer.optional(row)
    writer.flag(field != nil)
    if let field { writer.text(field) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      Code(rawValue: try reader.name()), try reader.text(), row: try reader.optional(),
      field: try reader.flag() ? try reader.name() : nil)
  }
}
