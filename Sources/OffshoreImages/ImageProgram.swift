import Glibc

/// An image that ``ImageProgram`` has made: upright, in sRGB, and without any metadata.
public struct ScaledImage: Hashable, Sendable {
  /// The file.
  public let bytes: [UInt8]
  /// The type of the file.
  public let type: ImageType
  /// The size in pixels.
  public let size: ImageSize
}

/// Scales untrusted images in processes of `offshore-image`, which may crash or hang without harm.
///
/// Images are PNG, JPEG or WebP, which their content decides, with at most 10 MiB and 50 million
/// pixels. The result is upright, in sRGB and without metadata, such as the place of a photo. Of an
/// animated image, only the first frame is used. JPEG has a white background.
///
/// ```swift
/// let images = ImageProgram()
/// let options = ImageOptions(fit: ImageSize(256, 256), type: .jpeg, maximumByteCount: 64 << 10)
/// let picture = try await images.scale(photo, to: options)
/// ```
///
/// Each image has a process of its own, without the environment and the open files of this one. The
/// process limits its memory and its time, and gives up the right to open files and connections
/// before it reads the image.
public final class ImageProgram: Sendable {
  private let path: String
  private let timeLimit: Duration
  private let slots: RunSlots

  /// Creates an instance. The program is looked for when an image is scaled.
  /// - Parameters:
  ///   - path: the absolute path of `offshore-image`, by default in the folder of the running program.
  ///   - runLimit: the number of images that are scaled at once, at least 1. Further calls wait. An
  ///     image of 50 million pixels can need 600 MiB, and most need less than 50 MiB.
  ///   - timeLimit: the time after which a process is killed. Waiting does not count.
  public init(path: String? = nil, runLimit: Int = 2, timeLimit: Duration = .seconds(10)) {
    self.path = path ?? ImageProgram.pathBesideExecutable("offshore-image")
    self.timeLimit = timeLimit
    slots = RunSlots(limit: max(1, runLimit))
  }

  /// Checks an image, turns it upright, scales it, and removes its metadata.
  ///
  /// If the task is cancelled, the process is killed.
  /// - Parameter bytes: the file.
  /// - Throws: ``ImageError``; `CancellationError` if the task is cancelled.
  public func scale(
    _ bytes: [UInt8], to options: ImageOptions = ImageOptions()
  ) async throws -> ScaledImage {
    guard bytes.count <= ImageLimits.byteCount else { throw ImageError.tooLarge }
    let arguments = options.arguments
    let outcome = try await slots.run { [path, timeLimit] in
      try await ProgramRun(path, arguments, input: bytes, timeLimit: timeLimit).outcome()
    }
    return try Self.image(outcome, options)
  }

  /// Returns the path of a program in the folder of the running one.
  static func pathBesideExecutable(_ name: String) -> String {
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = buffer.baseAddress.map { readlink("/proc/self/exe", $0, buffer.count) } ?? 0
      let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self)
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return folder + name
  }

  /// Returns the image that a process wrote. It is parsed again, because the process is not trusted.
  private static func image(
    _ outcome: ProgramRun.Outcome, _ options: ImageOptions
  ) throws(ImageError) -> ScaledImage {
    switch outcome {
    case .timedOut: throw .timedOut
    case .excess: throw .failed("too much output")
    case .signal(let number): throw .failed("signal \(number)")
    case .exit(let status, _) where status != 0:
      throw ImageError.byExitStatus[status] ?? .failed("status \(status)")
    case .exit(_, let output):
      guard output.count <= options.limitedByteCount, let header = try? ImageHeader(output),
        header.type == options.type ?? header.type, header.orientation == .upright
      else { throw .failed("no image") }
      return ScaledImage(bytes: output, type: header.type, size: header.size)
    }
  }
}
