/// What the log keeps of a device in one scope.
public struct DeviceState: Hashable, Sendable {
  /// Whose device it is: the account that was first to push under its name, and the only one that does.
  /// `nil` before, and of a device that was there before accounts were noted.
  public var account: AccountID?
  /// The number of the last batch that was answered for good, or 0 before the first.
  public var lastNumber: Int64
  /// The number up to which the device has committed all changes.
  public var acknowledged: Int64
  /// Whether a batch of the device was rejected, so that later ones may build on it.
  public var hasRefusals: Bool
  /// How many ops were noted as refused since the account may not write any more.
  public var forbiddenOps: Int64

  /// Describes a device; one that was never heard of, unless more is said.
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
