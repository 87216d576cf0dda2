public import Foundation

/// The budget of a charter.
public struct CharterBudget: Equatable, Hashable, Codable, Sendable {
  /// The total, 0 or more.
  public var amount: Decimal
  /// The currency by ISO 4217, for example `EUR`.
  public var currencyCode: String
  /// The parts of the budget, if they were entered.
  public var lines: [Line]
  /// Whether the total is the sum of the lines, rather than entered.
  public var isSumOfLines = false

  /// One part of a budget.
  public struct Line: Equatable, Hashable, Codable, Sendable {
    /// The purpose.
    public var title: String
    /// The amount, 0 or more, in the budget's currency.
    public var amount: Decimal

    /// Creates a part of a budget.
    public init(title: String, amount: Decimal) {
      self.title = title
      self.amount = amount
    }
  }

  /// Creates a budget.
  public init(
    amount: Decimal, currencyCode: String, lines: [Line] = [], isSumOfLines: Bool = false
  ) {
    self.amount = amount
    self.currencyCode = currencyCode
    self.lines = lines
    self.isSumOfLines = isSumOfLines
  }

  /// Whether no amount is negative and the currency has the form of an ISO 4217 code.
  public var isValid: Bool { hasValidAmounts && hasValidCurrency }

  /// Whether no amount is negative or NaN.
  public var hasValidAmounts: Bool {
    ([amount] + lines.map(\.amount)).allSatisfy { !$0.isNaN && $0 >= 0 }
  }

  /// Whether the currency has the form of an ISO 4217 code.
  public var hasValidCurrency: Bool { currencyCode.wholeMatch(of: /[A-Z]{3}/) != nil }
}

extension CharterBudget {
  private enum CodingKeys: CodingKey {
    case amount, currencyCode, lines, isSumOfLines
  }

  /// Encodes a valid budget.
  /// - Throws: `EncodingError.invalidValue` if the budget is not valid.
  public func encode(to encoder: any Encoder) throws {
    guard isValid else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "expected amounts of 0 or more and an ISO 4217 currency code"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(amount, forKey: .amount)
    try container.encode(currencyCode, forKey: .currencyCode)
    try container.encode(lines, forKey: .lines)
    if isSumOfLines { try container.encode(true, forKey: .isSumOfLines) }
  }

  /// Decodes a budget.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    amount = try container.decode(Decimal.self, forKey: .amount)
    currencyCode = try container.decode(String.self, forKey: .currencyCode)
    lines = try container.decode([Line].self, forKey: .lines)
    // NB: Earlier versions of the app did not write this member.
    isSumOfLines = try container.decodeIfPresent(Bool.self, forKey: .isSumOfLines) ?? false
  }
}
