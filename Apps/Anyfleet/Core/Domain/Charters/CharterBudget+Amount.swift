public import Foundation

extension CharterBudget {
  /// The amount that somebody typed, such as `1200`, `1 200,50` and `1,200.50`; `nil` where it is
  /// none.
  ///
  /// A last point or comma before one or two digits begins the decimals; those before, and one before
  /// three digits, are between thousands. A minus in front is read, for validation to refuse.
  public static func amount(from text: String) -> Decimal? {
    let digits = text.filter { !$0.isWhitespace && $0 != "’" && $0 != "'" }
    guard digits.wholeMatch(of: /-?[0-9]{1,18}([.,][0-9]{3})*([.,][0-9]{1,2})?/) != nil else {
      return nil
    }
    let decimals = digits.firstMatch(of: /[.,]([0-9]{1,2})$/)
    let whole = digits.dropLast(decimals?.0.count ?? 0).filter { $0 != "." && $0 != "," }
    return Decimal(string: "\(whole).\(decimals?.1 ?? "0")", locale: Locale(identifier: "en_GB"))
  }
}
