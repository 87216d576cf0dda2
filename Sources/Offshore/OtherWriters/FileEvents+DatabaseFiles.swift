import OffshoreFileAccess

extension FileEvents {
  /// Watches the log of a database for writes, and all of its files for being moved or deleted.
  ///
  /// The log is written by system calls, which cause events. Its index is mapped memory, so the
  /// events of a commit arrive before the commit is visible.
  /// - Returns: The numbers of the watches.
  /// - Throws: ``DatabaseError`` if the system has no more watches. All watches of the call are
  ///   removed then.
  func watch(_ files: DatabaseFiles) throws(DatabaseError) -> [Int32] {
    var watches: [Int32] = []
    let changes: [Changes] = [.place, [.place, .writes], .place, .folderPlace]
    for (path, changes) in zip(files.paths + [files.folder], changes) {
      do throws(Failure) {
        watches.append(try watch(path, for: changes))
      } catch {
        for watch in watches { remove(watch) }
        throw .noWatch(error)
      }
    }
    return watches
  }
}

extension DatabaseError {
  /// The error of a system that refuses to watch a file.
  static func noWatch(_ failure: FileEvents.Failure) -> DatabaseError {
    guard failure.code != nil else {
      return DatabaseError(
        .other,
        "There is no watch of files on this platform, so commits of other processes are noticed only "
          + "when the database is used.")
    }
    return DatabaseError(
      .other,
      "The system refuses a watch of the file (\(failure.reason)), so commits of "
        + "other processes are noticed only when the database is used. Raise "
        + "fs.inotify.max_user_instances, fs.inotify.max_user_watches, or the limit of open files, "
        + "and open the database again.")
  }
}
