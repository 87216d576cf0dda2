/// A log that has the accounts of a server too, so that both change together.
public protocol ServerLog: ChangeLog
where Snapshot: AccountReader, Transaction: AccountWriter {}
