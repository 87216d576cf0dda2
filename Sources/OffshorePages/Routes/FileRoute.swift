import Foundation
public import OffshoreHTTP
import OffshoreImages
import OffshoreSync
public import OffshoreWire

extension Router {
  /// Adds the address of the files to which rows refer by a `.file` column, for the pages of the app: an
  /// image, for example, is shown by an element with `BlobReference.address` as its source.
  ///
  /// A file is sent if a row on this device refers to it and the file is on this device; otherwise the
  /// response is 404. Images in the formats PNG, JPEG and WebP, by their content, are shown. A browser stores
  /// all other files instead of showing them.
  @MainActor public mutating func addFiles(of frame: AppFrame) {
    let store = frame.store
    get("\(BlobReference.path)/:hash") { request in
      let name: String = try request.parameter("hash")
      guard let hash = ContentHash(hexadecimal: name) else { throw HTTPError(.notFound) }
      let reference = BlobReference(hash)
      guard try await store.read({ try store.refers(to: reference, $0) }),
        let url = store.files.url(of: reference)
      else { throw HTTPError(.notFound) }
      return try Response(content: url, named: name, to: request)
    }
  }
}

extension BlobReference {
  /// The first component of the addresses of files.
  fileprivate static let path = "files"

  /// The address of the file on the pages of an app that has called `addFiles(of:)` of its router.
  public var address: String { "/\(Self.path)/\(hash)" }
}

extension Response {
  /// Creates a response with a file whose name is the hash of its content, so that it never changes.
  /// - Throws: `HTTPError` with 404 if the file was removed meanwhile; `CocoaError` if it cannot be read.
  fileprivate init(content url: URL, named name: String, to request: Request) throws {
    let tag = "\"\(name)\""
    var headers: Headers = [
      "ETag": tag, "Cache-Control": "private, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
    ]
    if request.headers.list("If-None-Match").contains(where: {
      ["*", tag, "W/" + tag].contains($0)
    }) {
      self.init(.notModified, headers: headers)
      return
    }
    do {
      let file = try FileHandle(forReadingFrom: url)
      let type = ImageType(content: try file.read(upToCount: 12) ?? Data())
      try file.close()
      headers["Content-Type"] = type?.mediaType ?? "application/octet-stream"
      // A browser that follows a link to the file must not run its content.
      if type == nil { headers["Content-Disposition"] = "attachment" }
      let content = try FileSlice(path: url.path(percentEncoded: false))
      self.init(.ok, headers: headers, body: .file(content))
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      throw HTTPError(.notFound)
    }
  }
}
