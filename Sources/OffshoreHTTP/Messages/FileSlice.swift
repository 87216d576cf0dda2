import Foundation

/// A part of a file as the body of a response, which is sent from the disk piece by piece.
///
/// The file is open from the start, so it is sent whole though its name be removed meanwhile.
public struct FileSlice: Sendable {
  /// A descriptor that is closed with the last of those who use it.
  private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
  }

  private let descriptor: Descriptor
  /// Where the part begins, in bytes.
  public let offset: Int
  /// How many bytes it has.
  public let count: Int

  /// Opens a file, to send all of it.
  /// - Throws: `CocoaError` with the code `fileReadNoSuchFile` or `fileReadUnknown`.
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

  /// A part of the part; what lies beyond its end is left out.
  public subscript(range: Range<Int>) -> FileSlice {
    FileSlice(self, range.clamped(to: 0..<count))
  }

  /// All bytes, for tests. Where the file has become shorter they are fewer.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      let read = pread(descriptor.number, memory.baseAddress, count, off_t(offset))
      filled = max(read, 0)
    }
  }

  /// Another descriptor of the file, which is the caller's to close; negative where there is none.
  func duplicate() -> Int32 { fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0) }
}
