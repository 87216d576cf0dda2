import Offshore

extension Booking {
  /// Opens a file of ours and one of the baseline's, each with an empty table.
  ///
  /// Neither waits for the disk: the time for that is the same on both sides and hides the
  /// difference.
  static func connections(
    in folder: BenchFolder
  ) throws -> (ours: Connection, baseline: BaselineConnection) {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    let ours = try Connection(folder.file("ours.sqlite"), configuration: configuration)
    try ours.execute(SQL(raw: creation))
    let baseline = try BaselineConnection(folder.file("baseline.sqlite"))
    try baseline.execute(creation)
    return (ours, baseline)
  }
}
