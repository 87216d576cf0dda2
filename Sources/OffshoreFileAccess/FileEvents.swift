#if canImport(Glibc)
  import Glibc
#else
  import Foundation
#endif

/// A change of a watched file, or of a file in a watched folder.
package struct FileEvent: Sendable {
  /// The number of the watch; `nil` if events were lost, so that any file may have changed.
  package let watch: Int32?
  /// The name of the changed file in a watched folder; `nil` if the watched file or folder itself
  /// changed.
  package let name: String?
  /// Whether the file may have been written to.
  package let isWrite: Bool
  /// Whether the file may have been deleted, moved or replaced.
  package let concernsPath: Bool
}

#if canImport(Glibc)
  /// The kernel's `inotify` watches of files, for one thread that waits for their events.
  package final class FileEvents: Sendable {
    /// The changes that a watch reports.
    package struct Changes: OptionSet, Sendable {
      package let rawValue: UInt32
      package init(rawValue: UInt32) { self.rawValue = rawValue }

      /// Each write to a file.
      package static let writes = Changes(rawValue: UInt32(IN_MODIFY))
      /// The deletion, a move, or a further or lost name of a file.
      package static let place = Changes(
        rawValue: UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF))
      /// The deletion or a move of a folder.
      package static let folderPlace = Changes(rawValue: UInt32(IN_MOVE_SELF | IN_DELETE_SELF))
      /// The files of a folder: arrivals and removals of names, and the end of writes.
      package static let entries = Changes(
        rawValue: UInt32(IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE))
      /// The names that appear in a folder, before their files are written.
      package static let creations = Changes(rawValue: UInt32(IN_CREATE | IN_MOVED_TO))
    }

    /// The reason why the system refuses a watch.
    package struct Failure: Error {
      /// The error number of the system; `nil` if this platform has no watches.
      package let code: Int32?
    }

    private let events: Int32

    /// Creates an instance without watches.
    /// - Throws: ``Failure`` if the system has no more instances.
    package init() throws(Failure) {
      events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard events >= 0 else { throw Failure(code: errno) }
    }

    /// Releases all watches. No other function may be called afterwards.
    package func end() { close(events) }

    /// Watches a file or a folder. A second watch of the same one has the same number, and adds its
    /// changes.
    /// - Returns: The number of the watch.
    /// - Throws: ``Failure`` if the file is missing, or if the system has no more watches.
    package func watch(_ path: String, for changes: Changes) throws(Failure) -> Int32 {
      let watch = inotify_add_watch(events, path, changes.rawValue | UInt32(IN_MASK_ADD))
      guard watch >= 0 else { throw Failure(code: errno) }
      return watch
    }

    /// Removes a watch, which causes an event.
    package func remove(_ watch: Int32) { inotify_rm_watch(events, watch) }

    /// Waits for an event, for a duration at most.
    /// - Parameters:
    ///   - milliseconds: The duration, or `nil` for no limit.
    ///   - ignoresEvents: Whether to wait for the whole duration.
    package func wait(atMost milliseconds: Int32?, ignoresEvents: Bool = false) {
      var source = pollfd(fd: ignoresEvents ? -1 : events, events: Int16(POLLIN), revents: 0)
      poll(&source, 1, milliseconds ?? -1)
    }

    /// Returns the events since the last call.
    package func read() -> [FileEvent] {
      var found: [FileEvent] = []
      withUnsafeTemporaryAllocation(
        byteCount: 16_384, alignment: MemoryLayout<inotify_event>.alignment
      ) { buffer in
        while case let count = Glibc.read(events, buffer.baseAddress, buffer.count), count > 0 {
          var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
          while let event = FileEvent(&rest) { found.append(event) }
        }
      }
      return found
    }
  }

  extension FileEvent {
    /// Consumes the event at the start of the bytes of the system.
    fileprivate init?(_ bytes: inout UnsafeRawBufferPointer) {
      let headerSize = MemoryLayout<inotify_event>.size
      guard bytes.count >= headerSize else { return nil }
      let event = bytes.loadUnaligned(as: inotify_event.self)
      let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
      // The name is padded with zeros.
      let text = bytes[headerSize..<(headerSize + Int(event.len))].prefix { $0 != 0 }
      self.init(
        watch: isOverflow ? nil : event.wd,
        name: text.isEmpty ? nil : String(decoding: text, as: UTF8.self),
        isWrite: isOverflow || event.mask & UInt32(IN_MODIFY | IN_CLOSE_WRITE) != 0,
        concernsPath: isOverflow || event.mask & ~UInt32(IN_MODIFY | IN_CLOSE_WRITE) != 0)
      bytes = UnsafeRawBufferPointer(rebasing: bytes[(headerSize + Int(event.len))...])
    }
  }
#else
  /// Watches of files, which this platform does not support yet: files are checked when they are
  /// used.
  package final class FileEvents: Sendable {
    package struct Changes: OptionSet, Sendable {
      package let rawValue: UInt32
      package init(rawValue: UInt32) { self.rawValue = rawValue }
      package static let writes = Changes(rawValue: 1)
      package static let place = Changes(rawValue: 2)
      package static let folderPlace = Changes(rawValue: 4)
      package static let entries = Changes(rawValue: 8)
      package static let creations = Changes(rawValue: 16)
    }

    package struct Failure: Error {
      package let code: Int32?
    }

    package init() throws(Failure) { throw Failure(code: nil) }
    package func watch(_ path: String, for changes: Changes) throws(Failure) -> Int32 {
      throw Failure(code: nil)
    }
    package func remove(_ watch: Int32) {}
    package func wait(atMost milliseconds: Int32?, ignoresEvents: Bool = false) {}
    package func read() -> [FileEvent] { [] }
    package func end() {}
  }
#endif

extension FileEvents.Failure {
  /// The reason in a few words, as those of the system.
  package var reason: String {
    code.map { String(cString: strerror($0)) } ?? "this platform has no watches of files"
  }
}
