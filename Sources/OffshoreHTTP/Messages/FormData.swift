/// A posted form: its text fields and its files.
///
/// ```swift
/// let form = try request.formData()
/// guard let photo = form.files("photo").first else {
///   throw HTTPError(.unprocessableContent, "Choose a photo.")
/// }
/// ```
public struct FormData: Sendable {
  /// The text fields in their order.
  public let fields: Fields
  /// The chosen files in their order.
  ///
  /// A file field without a chosen file is not among them.
  public let files: [File]

  /// Returns the files of a field in their order; none if the user has chosen none.
  public func files(_ name: String) -> [File] { files.filter { $0.name == name } }
}

extension FormData {
  /// The limits of a form, besides that of the route for the body.
  ///
  /// The size of a field is not limited in a form without files.
  public struct Limits: Sendable {
    /// The maximum number of text fields.
    public var maximumFields = Fields.maximumCount
    /// The maximum number of bytes of a text field.
    public var maximumFieldSize = 1 << 20
    /// The maximum number of files, including the fields without a chosen one.
    public var maximumFiles = 100
    /// The maximum number of bytes of a file; by default that of the body.
    public var maximumFileSize = Int.max

    /// Creates the limits of an ordinary form.
    public init() {}
  }

  /// A file of a form.
  public struct File: Sendable, Equatable {
    /// The name of the field.
    public let name: String
    /// The name of the file, to be shown to users; 1 to 255 bytes without slashes or control
    /// characters.
    ///
    /// It is the last component of the name that the client has sent, or `file` if that is not a
    /// name. Do not use it as a path: several files may have the same name, and a system may give
    /// some names a special meaning.
    public let fileName: String
    /// The media type that the client claims, in lower case without parameters;
    /// `application/octet-stream` if it claims none.
    public let mediaType: String
    /// The content, in the memory of the request's whole body. The indices do not begin at 0.
    ///
    /// To retain the content after the response, copy it by `Array(file.bytes)`.
    public let bytes: ArraySlice<UInt8>

    /// Creates a file.
    /// - Parameter claimedName: the name that the client has sent, which may be a path.
    init(name: String, claimedName: String, mediaType: String?, bytes: ArraySlice<UInt8>) {
      self.name = name
      fileName = Self.safeName(claimedName)
      self.mediaType = mediaType.flatMap { $0.isEmpty ? nil : $0 } ?? "application/octet-stream"
      self.bytes = bytes
    }

    /// The maximum number of bytes of a name, as in most file systems.
    private static let maximumNameSize = 255
    /// The maximum number of bytes of an ending, such as `.jpeg`, that a shortened name retains.
    private static let maximumEndingSize = 16

    /// Returns the last component of a path without control characters, in at most 255 bytes.
    private static func safeName(_ claimed: String) -> String {
      var scalars = String.UnicodeScalarView()
      for scalar in claimed.unicodeScalars {
        if scalar == "/" || scalar == "\\" {
          scalars.removeAll()
        } else if !isControl(scalar) {
          scalars.append(scalar)
        }
      }
      let name = shortened(String(scalars))
      return name.allSatisfy { $0 == "." || $0.isWhitespace } ? "file" : name
    }

    /// Returns whether a character is a control character or a line break, or changes the direction
    /// of text, so that a name could seem to have another ending.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: scalar.properties.isBidiControl
      }
    }

    /// Shortens a long name before its ending.
    private static func shortened(_ name: String) -> String {
      guard name.utf8.count > maximumNameSize else { return name }
      let dot = name.lastIndex(of: ".") ?? name.endIndex
      let ending = name[dot...].utf8.count <= maximumEndingSize ? name[dot...] : ""
      var room = maximumNameSize - ending.utf8.count
      let stem = name.prefix { character in
        room -= character.utf8.count
        return room >= 0
      }
      return String(stem + ending)
    }
  }
}
