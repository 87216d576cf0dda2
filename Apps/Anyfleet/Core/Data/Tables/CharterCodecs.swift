import Foundation
public import Offshore

extension SyncStatus: ColumnValue {}

/// Stores a crew as a JSON array.
public enum CrewCodec: ColumnCodec {
  public static let sqlType = "TEXT"
  public static let samples: ([CrewMember], [CrewMember]) =
    ([], [CrewMember(name: "", role: .skipper)])

  public static func read(_ row: inout RowReader, _ index: Int32) -> [CrewMember] {
    row.json(index, sample: samples.0)
  }

  public static func bind(_ value: [CrewMember], _ row: inout RowWriter, _ index: Int32) {
    JSONCodec.bind(JSON(value), &row, index)
  }
}

/// Stores a budget as a JSON object.
public enum BudgetCodec: ColumnCodec {
  public static let sqlType = "TEXT"
  public static let samples = (
    CharterBudget(amount: 0, currencyCode: "EUR"), CharterBudget(amount: 1, currencyCode: "EUR")
  )

  public static func read(_ row: inout RowReader, _ index: Int32) -> CharterBudget {
    row.json(index, sample: samples.0)
  }

  public static func bind(_ value: CharterBudget, _ row: inout RowWriter, _ index: Int32) {
    guard value.isValid else {
      return row.fail(index, reason: "amounts of 0 or more and an ISO 4217 currency code")
    }
    JSONCodec.bind(JSON(value), &row, index)
  }
}

extension CodecKind where Codec == CrewCodec {
  /// A crew as a JSON array.
  public static var crew: Self { Self() }
}

extension CodecKind where Codec == BudgetCodec {
  /// A budget as a JSON object.
  public static var budget: Self { Self() }
}
