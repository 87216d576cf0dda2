/// The state of a device in one scope.
public struct DeviceState: Hashable, Sendable {
  /// The account that was the first to push under the name of the device, and the only one that
  /// may.
  ///
  /// `nil` before the first push, and for a device that was stored before accounts were recorded.
  public var account: AccountID?
  /// The number of the last batch with a final result, or 0 before the first.
  public var lastNumber: Int64
  /// The sequence number up to which the device has committed all changes.
  public var acknowledged: Int64
  /// Whether a batch of the device was rejected, so that later batches may depend on it.
  public var hasRefusals: Bool
  /// The number of refused ops that were stored since the account could last write.
  public var forbiddenOps: Int64

  /// Creates the state of a device, by default that of an unknown one.
  public init(
    account: AccountID? = nil, lastNumber: Int64 = 0, acknowledged: Int64 = 0,
    hasRefusals: Bool = false, forbiddenOps: Int64 = 0
  ) {
    self.account = account
    self.lastNumber = lastNumber
    self.acknowledged = acknowledged
    self.hasRefusals = hasRefusals
    self.forbiddenOps = forbiddenOps
  }
}
