/// A change of a watched file.
struct FileEvent {
  /// The number of the watch; `nil` if events were lost, so that any file may have changed.
  let watch: Int32?
  /// Whether the file may have been written to.
  let isWrite: Bool
  /// Whether the file may have been deleted, moved or replaced.
  let concernsPath: Bool
}

#if canImport(Glibc)
  import Glibc

  /// The kernel's `inotify` watches of files, for one thread that waits for their events.
  ///
  /// The log is written by system calls, which cause events. Its index is mapped memory, so the
  /// events of a commit arrive before the commit is visible.
  final class FileEvents: Sendable {
    private let events: Int32

    /// Creates an instance without watches.
    /// - Throws: ``DatabaseError`` if the system has no more watches.
    init() throws(DatabaseError) {
      events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard events >= 0 else { throw .noWatch(errno) }
    }

    /// Releases all watches. No other function may be called afterwards.
    func end() { close(events) }

    /// Watches the log of a database for writes, and all of its files for being moved or deleted.
    /// - Returns: The numbers of the watches.
    /// - Throws: ``DatabaseError`` if the system has no more watches. All watches of the call are
    ///   removed then.
    func watch(_ files: DatabaseFiles) throws(DatabaseError) -> [Int32] {
      let place = UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
      var watches: [Int32] = []
      for (path, mask) in [
        (files.paths[0], place), (files.paths[1], place | UInt32(IN_MODIFY)),
        (files.paths[2], place), (files.folder, UInt32(IN_MOVE_SELF | IN_DELETE_SELF)),
      ] {
        let watch = inotify_add_watch(events, path, mask | UInt32(IN_MASK_ADD))
        guard watch >= 0 else {
          let code = errno
          for watch in watches { remove(watch) }
          throw .noWatch(code)
        }
        watches.append(watch)
      }
      return watches
    }

    /// Removes a watch, which causes an event.
    func remove(_ watch: Int32) { inotify_rm_watch(events, watch) }

    /// Waits for an event, for a duration at most.
    /// - Parameter ignoresEvents: Whether to wait for the whole duration.
    func wait(atMost duration: Duration?, ignoresEvents: Bool) {
      var source = pollfd(fd: ignoresEvents ? -1 : events, events: Int16(POLLIN), revents: 0)
      poll(&source, 1, duration?.wholeMilliseconds ?? -1)
    }

    /// Returns the events since the last call.
    func read() -> [FileEvent] {
      var found: [FileEvent] = []
      withUnsafeTemporaryAllocation(
        byteCount: 16_384, alignment: MemoryLayout<inotify_event>.alignment
      ) { buffer in
        while case let count = Glibc.read(events, buffer.baseAddress, buffer.count), count > 0 {
          var offset = 0
          while offset < count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
            found.append(
              FileEvent(
                watch: isOverflow ? nil : event.wd,
                isWrite: isOverflow || event.mask & UInt32(IN_MODIFY) != 0,
                concernsPath: isOverflow || event.mask & ~UInt32(IN_MODIFY) != 0))
            offset += MemoryLayout<inotify_event>.size + Int(event.len)
          }
        }
      }
      return found
    }
  }

  extension DatabaseError {
    fileprivate static func noWatch(_ code: Int32) -> DatabaseError {
      DatabaseError(
        .other,
        "The system refuses a watch of the file (\(String(cString: strerror(code)))), so commits of "
          + "other processes are noticed only when the database is used. Raise "
          + "fs.inotify.max_user_instances, fs.inotify.max_user_watches, or the limit of open files, "
          + "and open the database again.")
    }
  }
#else
  /// Watches of files, which this platform does not support yet: each database checks its file when
  /// it is used.
  final class FileEvents: Sendable {
    init() throws(DatabaseError) {
      throw DatabaseError(
        .other,
        "There is no watch of files on this platform, so commits of other processes are noticed only "
          + "when the database is used.")
    }

    func watch(_ files: DatabaseFiles) throws(DatabaseError) -> [Int32] { [] }
    func remove(_ watch: Int32) {}
    func wait(atMost duration: Duration?, ignoresEvents: Bool) {}
    func read() -> [FileEvent] { [] }
    func end() {}
  }
#endif
