public import Foundation

/// What somebody said where another one said something else, and when.
public struct DecidedVersion<Value: Hashable & Sendable>: Hashable, Sendable {
  public let value: Value
  public let date: Date
  /// Whether it was said on this device.
  public let isFromHere: Bool
}

/// Why one of two stayed and the other did not.
public enum DecisionReason: Hashable, Sendable {
  /// It was said later.
  case later
  /// All of it had been taken away, which ends what others say without knowing of that.
  case ended
}
