public import Foundation

/// Rows that were taken out of storage, exactly as they were stored, damaged values included.
struct RemovedRows: Equatable, Sendable {
  /// A value of one of the kinds that are stored.
  enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
  }

  /// Rows of one table: for each column the values of all rows, in the order of the rows.
  struct Table: Equatable, Sendable {
    var name: String
    var columns: [String: [Value]]
  }

  /// The tables in the order in which rows can be put back.
  var tables: [Table] = []
}

/// A charter that was removed with all that belonged to it, to be put back.
public struct DeletedCharter: Equatable, Sendable {
  /// The charter's id.
  public let id: UUID
  /// Whether it was the active one.
  public let wasActive: Bool
  let rows: RemovedRows
}

/// Ticks and notes of a checklist in a charter that were removed, to be put back.
public struct ClearedExecution: Identifiable, Equatable, Sendable {
  /// Which checklist they are of, in which charter.
  public struct ID: Hashable, Sendable {
    public let charterID: UUID
    public let checklistID: UUID
  }

  public let id: ID
  let rows: RemovedRows
}

/// A checklist, guide, or deck of the library that was removed, to be put back.
public struct DeletedEntry: Equatable, Sendable {
  /// Its id.
  public let id: UUID
  let rows: RemovedRows
}
