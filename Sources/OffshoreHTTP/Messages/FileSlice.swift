import Foundation

/// A part of a file as the body of a response, which is read from the disk while it is sent.
///
/// The file is opened at once, so it is sent completely even if it is deleted meanwhile.
public struct FileSlice: Sendable {
  /// A file descriptor that is closed after its last use.
  private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
  }

  private let descriptor: Descriptor
  /// The offset of the part in the file, in bytes.
  let offset: Int
  /// The number of bytes of the part.
  public let count: Int

  /// Opens a whole file.
  /// - Throws: `CocoaError` with the code `fileReadNoSuchFile` if the file does not exist, or
  ///   `fileReadUnknown` if it cannot be read.
  public init(path: String) throws {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      throw CocoaError(errno == ENOENT ? .fileReadNoSuchFile : .fileReadUnknown)
    }
    descriptor = Descriptor(number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
    (offset, count) = (0, Int(status.st_size))
  }

  private init(_ whole: FileSlice, _ range: Range<Int>) {
    descriptor = whole.descriptor
    (offset, count) = (whole.offset + range.lowerBound, range.count)
  }

  /// A part of this part. The range is clamped to its bytes.
  public subscript(range: Range<Int>) -> FileSlice {
    FileSlice(self, range.clamped(to: 0..<count))
  }

  /// All bytes, for tests. There are fewer than ``count`` if the file became shorter.
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      let read = pread(descriptor.number, memory.baseAddress, count, off_t(offset))
      filled = max(read, 0)
    }
  }

  /// Returns another descriptor of the file, which the caller closes; negative if the system fails.
  func duplicate() -> Int32 { fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0) }
}
