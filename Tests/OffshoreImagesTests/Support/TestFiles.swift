import OffshoreImages

@testable import offshore_image

/// Files of all types, and metadata in them.
enum TestFiles {
  /// Converts a PNG file to another type.
  static func file(_ type: ImageType, _ png: TestPNG, quality: Int = 90) throws -> [UInt8] {
    try Conversion(ImageOptions(type: type, quality: quality)).convert(png.bytes).bytes
  }

  /// Adds metadata to a file, as programs of its type do.
  static func adding(
    exif: TestExif? = nil, profile: [UInt8]? = nil, xmp: String? = nil, to file: [UInt8]
  ) throws -> [UInt8] {
    switch ImageType(content: file) {
    case .jpeg: jpeg(file, exif, profile, xmp)
    case .png: png(file, exif, profile, xmp)
    case .webp: webp(file, exif, profile, xmp)
    case nil: throw UnknownType()
    }
  }

  private struct UnknownType: Error {}

  /// Returns the pixels of a PNG file, as `0xAARRGGBB`.
  static func pixels(_ file: [UInt8]) throws -> [UInt32] {
    let header = try ImageHeader(file)
    return try PNGCoding.decode(file, header, to: header.size).pixels
  }

  // MARK: - JPEG

  private static func jpeg(
    _ file: [UInt8], _ exif: TestExif?, _ profile: [UInt8]?, _ xmp: String?
  ) -> [UInt8] {
    var segments: [UInt8] = []
    if let exif { segments += segment(0xE1, Array("Exif\0\0".utf8) + exif.tiff) }
    if let xmp { segments += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)) }
    if let profile { segments += segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile) }
    segments += segment(0xFE, Array(TestExif.secret.utf8))
    return Array(file[..<2]) + segments + file[2...]
  }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + TestPNG.number(content.count + 2)[2...] + content
  }

  // MARK: - PNG

  private static func png(
    _ file: [UInt8], _ exif: TestExif?, _ profile: [UInt8]?, _ xmp: String?
  ) -> [UInt8] {
    var chunks: [TestPNG.Chunk] = []
    if let exif { chunks.append(("eXIf", exif.tiff)) }
    if let xmp {
      chunks.append(("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(xmp)".utf8)))
      chunks.append(("zTXt", Array("Comment\0\0".utf8) + TestPNG.deflated(Array(xmp.utf8))))
    }
    if let profile {
      chunks.append(("iCCP", Array("test\0\0".utf8) + TestPNG.deflated(profile)))
    }
    chunks.append(("tEXt", Array("Comment\0\(TestExif.secret)".utf8)))
    // The header ends at 33. The parts between the signature and the last chunk are chunks.
    let added = TestPNG.file(chunks)
    return Array(file[..<33]) + added[TestPNG.signature.count..<added.count - 12] + file[33...]
  }

  // MARK: - WebP

  private static func webp(
    _ file: [UInt8], _ exif: TestExif?, _ profile: [UInt8]?, _ xmp: String?
  ) -> [UInt8] {
    let flags: UInt8 =
      (profile == nil ? 0 : 0x20) | (exif == nil ? 0 : 0x08) | (xmp == nil ? 0 : 0x04)
    var chunks = webpHead(file, flags: flags)
    if let profile { chunks += chunk("ICCP", profile) }
    chunks += webpImage(file)
    if let exif { chunks += chunk("EXIF", exif.tiff) }
    if let xmp { chunks += chunk("XMP ", Array(xmp.utf8)) }
    return riff(chunks)
  }

  /// Returns an animated image of several still ones with the same size.
  static func animation(_ files: [[UInt8]]) throws -> [UInt8] {
    var chunks = webpHead(files[0], flags: 0x02) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
    for file in files {
      let size = try ImageHeader(file).size
      let sides = little(size.width - 1, 3) + little(size.height - 1, 3)
      chunks += chunk("ANMF", [0, 0, 0, 0, 0, 0] + sides + little(100, 3) + [0] + webpImage(file))
    }
    return riff(chunks)
  }

  private static func webpHead(_ file: [UInt8], flags: UInt8) -> [UInt8] {
    guard let size = try? ImageHeader(file).size else { return [] }
    let alpha: UInt8 = hasExtendedHead(file) ? file[20] & 0x10 : 0
    return chunk(
      "VP8X", [flags | alpha, 0, 0, 0] + little(size.width - 1, 3) + little(size.height - 1, 3))
  }

  private static func hasExtendedHead(_ file: [UInt8]) -> Bool {
    file[12...].starts(with: "VP8X".utf8)
  }

  /// The chunks of the pixels.
  private static func webpImage(_ file: [UInt8]) -> [UInt8] {
    Array(file[(hasExtendedHead(file) ? 30 : 12)...])
  }

  static func riff(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let padding: [UInt8] = content.count % 2 == 0 ? [] : [0]
    return Array(name.utf8) + little(content.count, 4) + content + padding
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

extension [UInt8] {
  /// Returns whether the bytes contain a text.
  func contains(text: String) -> Bool {
    let text = Array(text.utf8)
    return indices.contains { self[$0] == text[0] && self[$0...].starts(with: text) }
  }
}
