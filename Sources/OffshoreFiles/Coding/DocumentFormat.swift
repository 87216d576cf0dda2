import Foundation
import OffshoreJSON

/// The form of a document's file: JSON, in an envelope with its version once it has been upgraded.
///
/// Version 0 is the value itself, and later versions are `{"value": …, "version": 3}`. A value of
/// version 0 that looks like an envelope is stored in one, so that it is not mistaken for another.
struct DocumentFormat<Value: Codable & Sendable>: Sendable {
  /// A value with the version of its file.
  struct Decoded {
    var value: Value
    /// The version of the file, of which the value may be an upgrade.
    var version: Int
  }

  let configuration: JSONConfiguration
  let upgrades: [DocumentUpgrade]

  /// The version that is stored.
  var version: Int { upgrades.count }

  private var coding: JSONCoding { JSONCoding(precision: configuration.datePrecision) }

  // MARK: - Encoding

  /// Encodes a value for its file, with a line break at the end.
  /// - Parameter value: The value, which may keep the JSON of its parts.
  /// - Throws: ``DocumentFailure``.
  func encode(_ value: inout Value) throws -> JSONCoding.Encoded {
    let encoded = try encodedByParts(&value) ?? encoded(value)
    guard encoded.bytes.count <= configuration.sizeLimit else {
      throw DocumentFailure.valueTooLarge(configuration.sizeLimit)
    }
    return encoded
  }

  /// Encodes an array in parts; returns `nil` for another value, or in an envelope.
  private func encodedByParts(_ value: inout Value) throws -> JSONCoding.Encoded? {
    guard version == 0, var parts = value as? any PartlyEncoded else { return nil }
    do {
      let encoded = try parts.encode(by: coding)
      value = parts as? Value ?? value
      return encoded
    } catch {
      throw DocumentFailure.invalidValue(error)
    }
  }

  private func encoded(_ value: Value) throws -> JSONCoding.Encoded {
    do {
      if version == 0 {
        var bare = try coding.encode(value)
        if try Envelope.scan(bare.bytes) == nil {
          bare.bytes.append(UInt8(ascii: "\n"))
          return bare
        }
      }
      var encoded = try coding.encode(VersionedValue(value: value, version: version))
      // A value that is nested too deep could not be loaded.
      _ = try Envelope.scan(encoded.bytes)
      encoded.bytes.append(UInt8(ascii: "\n"))
      return encoded
    } catch {
      throw DocumentFailure.invalidValue(error)
    }
  }

  // MARK: - Decoding

  /// Decodes the content of a file, and upgrades it to the current version.
  /// - Throws: ``DocumentFailure``.
  func decode(_ bytes: Data) throws -> Decoded {
    let content = try text(bytes)
    let (data, version) = try unwrap(content)
    guard version <= self.version else { throw DocumentFailure.newerVersion(version) }
    let current = try upgrade(data, from: version)
    do {
      return Decoded(value: try coding.decode(Value.self, from: current), version: version)
    } catch let error as DuplicateID {
      throw DocumentFailure.damaged("has two elements with the same id", error)
    } catch {
      throw version == self.version
        ? DocumentFailure.damaged(Self.reason(error), error) : .upgradeFailed(version, error)
    }
  }

  /// Checks that the content is a text, and removes a byte order mark.
  private func text(_ bytes: Data) throws -> Data {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? Data(bytes.dropFirst(mark.count)) : bytes
    guard content.contains(where: { $0 > 0x20 }) else {
      throw DocumentFailure.damaged("is empty", nil)
    }
    // NB: `JSONDecoder` reads UTF-16 and UTF-32, too, if the bytes look like them.
    guard String(validating: content, as: UTF8.self) != nil, !content.containsZero else {
      throw DocumentFailure.damaged("is not a text in UTF-8", nil)
    }
    return content
  }

  /// Returns the JSON of the value, and its version.
  private func unwrap(_ content: Data) throws -> (Data, version: Int) {
    guard content.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return (content, 0) }
    do {
      guard let envelope = try Envelope.scan(content) else { return (content, 0) }
      return (envelope.value, envelope.version)
    } catch {
      throw DocumentFailure.damaged(Self.reason(error), error)
    }
  }

  private func upgrade(_ data: Data, from version: Int) throws -> Data {
    var data = data
    guard version < self.version else { return data }
    guard JSONScanner.isValue(Array(data.trimmingWhitespace)) else {
      throw DocumentFailure.damaged("is not complete JSON", nil)
    }
    for number in version..<self.version {
      do {
        data = try upgrades[number](data, coding)
      } catch {
        throw DocumentFailure.upgradeFailed(number, error)
      }
    }
    return data
  }

  /// The end of the sentence “The file …”, without any part of its content.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let fault as JSONScanner.Fault: fault.reason
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      "is not complete JSON"
    default: "has another content than the app stores"
    }
  }
}

/// The reason why a file was not loaded, or a value not stored.
enum DocumentFailure: Error {
  /// The file is not readable: the end of the sentence “The file …”, and the cause.
  case damaged(String, (any Error)?)
  case newerVersion(Int)
  /// An upgrade from a version has failed.
  case upgradeFailed(Int, any Error)
  case invalidValue(any Error)
  case valueTooLarge(Int)
}

private struct VersionedValue<Value: Encodable>: Encodable {
  let value: Value
  let version: Int
}

/// The parts of a versioned document.
private struct Envelope {
  let value: Data
  let version: Int

  /// Scans a value; returns `nil` if it is not an envelope, which has a version, a value and nothing
  /// else.
  /// - Throws: `JSONScanner.Fault` if the value is not complete JSON, or nested too deep.
  static func scan(_ value: Data) throws -> Envelope? {
    try value.withUnsafeBytes { bytes in
      try bytes.withMemoryRebound(to: UInt8.self) { bytes in
        guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
          var scanner = JSONScanner(bytes)
          _ = try scanner.scanRawValue()
          return nil
        }
        return try Envelope(bytes)
      }
    }
  }

  private init?(_ object: UnsafeBufferPointer<UInt8>) throws {
    var parts: [String: Data] = [:]
    var count = 0
    var scanner = JSONScanner(object)
    try scanner.scanObject { scanner, key in
      let part = try scanner.scanRawValue()
      count += 1
      if key == "value" || key == "version" { parts[key] = Data(part) }
    }
    try scanner.finish()
    guard count == 2, let value = parts["value"],
      let version = parts["version"].flatMap({ Int(String(decoding: $0, as: UTF8.self)) }),
      version >= 0
    else { return nil }
    (self.value, self.version) = (value, version)
  }
}

extension Data {
  fileprivate var containsZero: Bool {
    withUnsafeBytes { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    }
  }

  /// The bytes without whitespace at both ends.
  fileprivate var trimmingWhitespace: Data {
    let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return Data() }
    return self[first...last]
  }
}
