import OffshoreImages

/// The command line.
struct ToolArguments: Equatable {
  private(set) var options = ImageOptions()
  private(set) var showsHelp = false

  /// - Throws: ``UsageError``.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--help" || name == "-h" {
        showsHelp = true
        continue
      }
      guard Self.names.contains(name) else { throw UsageError("There is no option “\(name)”.") }
      guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value.") }
      try set(name, value)
    }
  }

  private static let names = ["--fit", "--type", "--quality", "--bytes"]

  private mutating func set(_ name: String, _ value: String) throws(UsageError) {
    switch name {
    case "--fit": options.fit = try Self.size(value)
    case "--type": options.type = try Self.type(value)
    case "--quality": options.quality = try Self.number(name, value, in: ImageOptions.qualities)
    default: options.maximumByteCount = try Self.number(name, value, in: ImageOptions.byteCounts)
    }
  }

  private static func size(_ value: String) throws(UsageError) -> ImageSize {
    let sides = value.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      1...ImageLimits.side ~= width, 1...ImageLimits.side ~= height
    else { throw UsageError("--fit needs a size such as 640x480, not “\(value)”.") }
    return ImageSize(width, height)
  }

  private static func type(_ value: String) throws(UsageError) -> ImageType? {
    if value == "same" { return nil }
    guard let type = ImageType(rawValue: value) else {
      throw UsageError("--type is jpeg, png, webp or same, not “\(value)”.")
    }
    return type
  }

  private static func number(
    _ name: String, _ value: String, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    guard let number = Int(value), range ~= number else {
      throw UsageError(
        "\(name) needs a number from \(range.lowerBound) to \(range.upperBound), not “\(value)”.")
    }
    return number
  }

  static let help = """
    usage: offshore-image [--fit WIDTHxHEIGHT] [--type jpeg|png|webp|same] [--quality N] [--bytes N]
           offshore-image --help

    Reads an image from standard input, and writes it to standard output: upright, in sRGB and without
    metadata. Images are PNG, JPEG or WebP, with at most 10 MiB and 50 million pixels.

      --fit WIDTHxHEIGHT  scale the image down until it fits into a box
      --type TYPE         the type of the result, by default the same
      --quality N         the quality of JPEG and WebP, 1 to 100, by default 82
      --bytes N           the largest number of bytes of the result, by default 10485760. The quality
                          is reduced first, and then the size.

    Before it reads, the program gives up the right to open files and connections, and limits its memory
    to 1 GiB and its time to 10 seconds. It cannot write to a file: use a pipe, such as

      offshore-image --fit 256x256 < photo.jpg | cat > small.jpg

    A line of JSON goes to standard error: the type, the width and the height, or a code and a message.
    The exit status is 0, or 10 for a file that is not an image (wrongType), 11 for too many bytes
    (tooLarge), 12 for too many pixels (tooManyPixels), 13 for a damaged image (damaged), 14 if the
    system does not limit the program (unavailable), 2 for an invalid command line, and 1 for other
    failures.

    """
}

/// The reason why the command line is invalid.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ problem: String) { description = "\(problem) See offshore-image --help." }
}
