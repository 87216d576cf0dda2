/// A log that has the accounts of a server too, so that both change together.
public protocol ServerLog: ChangeLog
where Snapshot: AccountReader, Transaction: AccountWriter {
  /// How many bytes are stored on this machine, where that can be told.
  var storedBytes: Int64? { get }
}

extension ServerLog {
  public var storedBytes: Int64? { nil }
}
