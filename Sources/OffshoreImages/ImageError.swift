/// The reason why an image was not scaled.
public struct ImageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error.
  public let code: Code
  /// The problem and its remedy, in one or two sentences without any content of the image.
  public let message: String

  /// Creates an error.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }

  /// A kind of error. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// The file is not a PNG, JPEG or WebP image.
    public static let wrongType = Code("wrongType")
    /// The file has more than 10 MiB.
    public static let tooLarge = Code("tooLarge")
    /// The image has more than 50 million pixels, or more than 65,535 on a side.
    public static let tooManyPixels = Code("tooManyPixels")
    /// The image is damaged or incomplete.
    public static let damaged = Code("damaged")
    /// The program ended without a result.
    public static let failed = Code("failed")
    /// The program did not end in time.
    public static let timedOut = Code("timedOut")
    /// The program is missing, or the system refuses to run it.
    public static let unavailable = Code("unavailable")

    /// The name of the code, for logs.
    public var description: String { name }
  }
}

extension ImageError {
  package static let wrongType = ImageError(
    .wrongType, "This file is not an image that can be used. Choose a PNG, JPEG or WebP image.")
  package static let tooLarge = ImageError(
    .tooLarge, "The image has more than 10 MiB. Choose a smaller one.")
  package static let tooManyPixels = ImageError(
    .tooManyPixels,
    "The image has too many pixels. Choose one with at most 50 million pixels, and at most 65,535 on "
      + "a side.")
  package static let damaged = ImageError(
    .damaged, "The image is damaged or incomplete. Choose another one.")
  static let timedOut = ImageError(
    .timedOut, "Scaling the image took too long. Try again, or choose a smaller one.")

  /// Creates the error of a program that ended without a result.
  /// - Parameter ending: the way in which it ended, such as `signal 11`.
  static func failed(_ ending: String) -> ImageError {
    ImageError(.failed, "The image could not be scaled (\(ending)). Choose another one.")
  }

  /// The errors that `offshore-image` reports by its exit status.
  package static let byExitStatus: [Int32: ImageError] = [
    10: .wrongType, 11: .tooLarge, 12: .tooManyPixels, 13: .damaged, 14: .noSandbox,
  ]

  package static let noSandbox = ImageError(
    .unavailable,
    "The system does not let offshore-image limit its own rights. Run it on Linux for x86-64 or ARM64, "
      + "with seccomp.")
}
