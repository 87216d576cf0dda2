public import OffshoreImages
import OffshoreSync

/// The images of messages: checked, turned upright, without metadata, with a thumbnail.
public struct MessageImages: Sendable {
  /// A stored image of a message.
  package struct Attachment: Hashable, Sendable {
    /// The reference to the image.
    package let imageURL: String
    /// The reference to the thumbnail.
    package let thumbnailURL: String
  }

  /// The maximum number of bytes of an image.
  package static let byteLimit = 10 << 20
  /// The longest side of an image in pixels.
  static let side = 2_560
  /// The longest side of a thumbnail in pixels.
  static let thumbnailSide = 480

  private let program: ImageProgram
  private let files: BlobFolder

  /// Creates the images of a file.
  public init(_ manager: LocalDataManager, program: ImageProgram = ImageProgram()) {
    (self.program, files) = (program, manager.store.files)
  }

  /// Stores an image and its thumbnail. They are sent with the message that refers to them.
  /// - Parameter bytes: a PNG, JPEG or WebP of at most 10 MiB and 50 million pixels.
  /// - Throws: `ImageError`; `DatabaseError`.
  package func add(_ bytes: [UInt8]) async throws -> Attachment {
    let image = try await program.scale(
      bytes, to: ImageOptions(fit: ImageSize(Self.side, Self.side)))
    let thumbnail = try await program.scale(
      image.bytes,
      to: ImageOptions(
        fit: ImageSize(Self.thumbnailSide, Self.thumbnailSide), type: .jpeg,
        maximumByteCount: 64 << 10))
    return Attachment(
      imageURL: try await files.add(image.bytes).text,
      thumbnailURL: try await files.add(thumbnail.bytes).text)
  }
}
