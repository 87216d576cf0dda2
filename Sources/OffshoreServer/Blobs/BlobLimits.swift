/// The limits for storing blobs.
///
/// A blob beyond a limit is refused before its content is sent, as far as that is known then. Stored
/// blobs stay if a limit is lowered.
public struct BlobLimits: Sendable {
  /// The largest size of a blob, in bytes; 64 MiB by default.
  public var bytesPerBlob: Int64
  /// The largest size of an account's blobs and unfinished uploads together, in bytes; 1 GiB by
  /// default.
  public var bytesPerAccount: Int64
  /// The largest size of the blobs of a scope, by all members, in bytes; 4 GiB by default.
  ///
  /// Unfinished uploads do not count, so that a member cannot occupy the room of others by announcing
  /// blobs. Of blobs that are sent at the same time, the last one that does not fit any more is
  /// refused when it is complete.
  public var bytesPerScope: Int64
  /// The largest number of unfinished uploads of an account.
  var uploads = 100
  /// The time for which an unfinished upload can be continued, in milliseconds.
  var uploadLifetime: Int64 = 7 * 86_400_000
  /// The time for which a blob stays in a scope in which no row refers to it, in milliseconds.
  package var unusedLifetime: Int64 = 7 * 86_400_000

  /// Creates limits, by default those of a server that is not configured otherwise.
  public init(
    bytesPerBlob: Int64 = 64 << 20, bytesPerAccount: Int64 = 1 << 30,
    bytesPerScope: Int64 = 4 << 30
  ) {
    self.bytesPerBlob = bytesPerBlob
    self.bytesPerAccount = bytesPerAccount
    self.bytesPerScope = bytesPerScope
  }
}
