public import Foundation

/// What a charter may cost.
public struct CharterBudget: Equatable, Hashable, Codable, Sendable {
  /// The sum, 0 or more.
  public var amount: Decimal
  /// The currency by ISO 4217, for example `EUR`.
  public var currencyCode: String
  /// What it is made of, where somebody wrote that down.
  public var lines: [Line]
  /// Whether the sum was not entered, but added up from the lines.
  public var isSumOfLines = false

  /// One part of a budget.
  public struct Line: Equatable, Hashable, Codable, Sendable {
    /// What the money is for.
    public var title: String
    /// The sum, 0 or more, in the budget's currency.
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

  /// Whether no amount is negative or unknown.
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

  /// Encodes a budget that may be stored.
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
    // NB: Earlier versions of the app did not write it.
    isSumOfLines = try container.decodeIfPresent(Bool.self, forKey: .isSumOfLines) ?? false
  }
}
