extension CharterBudget {
  /// How many decimals an amount of a currency can have, by
  /// [ISO 4217](https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html).
  static func decimalCount(of currencyCode: String) -> Int {
    decimalCounts.first { $0.codes.contains(currencyCode) }?.count ?? 2
  }

  /// The currencies of which a hundredth is not the smallest part.
  private static let decimalCounts: [(count: Int, codes: Set<String>)] = [
    (
      0,
      [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
        "VUV", "XAF", "XOF", "XPF",
      ]
    ),
    (3, ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]),
    (4, ["CLF", "UYW"]),
  ]
}
