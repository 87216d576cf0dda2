extension WireValue {
  /// Returns whether this value comes before another in a total order of all values.
  ///
  /// The order is SQLite's, made total: NULL, then numbers by value, then texts, then BLOBs, both
  /// by their bytes. An integer comes before the real of the same value, and `-0.0` before `0.0`.
  /// NaNs come before all other numbers, ordered by their bits.
  public func isOrdered(before other: WireValue) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
      left.lexicographicallyPrecedes(right)
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): Self.isOrdered(left, before: right)
    case (.integer(let left), .real(let right)): !right.isNaN && Self.compare(left, right) <= 0
    case (.real(let left), .integer(let right)): left.isNaN || Self.compare(right, left) > 0
    default: rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func isOrdered(_ left: Double, before right: Double) -> Bool {
    if left.isNaN && right.isNaN { return left.bitPattern < right.bitPattern }
    if left.isNaN || right.isNaN { return left.isNaN }
    if left == right { return left.sign == .minus && right.sign == .plus }
    return left < right
  }

  /// Returns a number below, equal to or above 0 if the integer is below, equal to or above the
  /// real.
  /// - Precondition: The real is not NaN.
  private static func compare(_ integer: Int64, _ real: Double) -> Int {
    // NB: Converting the integer to a real would round it beyond 2⁵³.
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real.rounded(.down))
    if integer != whole { return integer < whole ? -1 : 1 }
    return real > real.rounded(.down) ? -1 : 0
  }
}
