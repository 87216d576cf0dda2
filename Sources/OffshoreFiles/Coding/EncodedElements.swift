import Foundation
import OffshoreJSON

/// The JSON of a list's elements that have not changed since it was encoded.
///
/// So a large list with one changed element is not encoded as a whole again.
struct EncodedElements: Sendable {
  let precision: JSONConfiguration.DatePrecision
  /// The file with the elements.
  let bytes: Data
  /// The place of each element in the bytes; `nil` for one that has changed.
  var places: [Range<Int>?]
}

/// A value that keeps the JSON of its unchanged parts.
protocol PartlyEncoded {
  /// Encodes the value for its file, with a line break at the end.
  mutating func encode(by coding: JSONCoding) throws -> JSONCoding.Encoded
}

extension ElementList: PartlyEncoded where Element: Encodable {
  mutating func encode(by coding: JSONCoding) throws -> JSONCoding.Encoded {
    guard let former = encoded, former.precision == coding.precision else {
      return try encodeAll(coding)
    }
    let changed = indices.filter { former.places[$0] == nil }
    // Many elements are encoded faster together.
    guard changed.count * 2 < count else { return try encodeAll(coding) }
    let parts = try coding.encode(changed.map { self[$0] })
    guard parts.isExact else { return try encodeAll(coding) }
    let places = try Self.places(in: parts.bytes)
    return keep(Self.file(former, changed, parts.bytes, places), coding)
  }

  private mutating func encodeAll(_ coding: JSONCoding) throws -> JSONCoding.Encoded {
    var all = try coding.encode(Array(self))
    all.bytes.append(UInt8(ascii: "\n"))
    let places = try Self.places(in: all.bytes)
    guard all.isExact else {
      encoded = nil
      return all
    }
    return keep((all.bytes, places), coding)
  }

  private mutating func keep(
    _ file: (bytes: Data, places: [Range<Int>]), _ coding: JSONCoding
  ) -> JSONCoding.Encoded {
    encoded =
      file.places.count == count
      ? EncodedElements(precision: coding.precision, bytes: file.bytes, places: file.places) : nil
    return JSONCoding.Encoded(bytes: file.bytes, isExact: true)
  }

  /// Returns the places of the elements in an array.
  /// - Throws: `JSONScanner.Fault` if an element is nested too deep to be loaded.
  private static func places(in array: Data) throws -> [Range<Int>] {
    var places: [Range<Int>] = []
    try array.withUnsafeBytes { bytes in
      try bytes.withMemoryRebound(to: UInt8.self) { bytes in
        var scanner = JSONScanner(bytes)
        try scanner.scanArray { scanner in
          let part = try scanner.scanRawValue(depth: 1)
          places.append(part.startIndex..<part.endIndex)
        }
      }
    }
    return places
  }

  /// Returns a file with the former JSON of unchanged elements, and that of changed ones.
  private static func file(
    _ former: EncodedElements, _ changed: [Int], _ parts: Data, _ partPlaces: [Range<Int>]
  ) -> (bytes: Data, places: [Range<Int>]) {
    var bytes = Data(capacity: former.bytes.count + parts.count)
    var places: [Range<Int>] = []
    places.reserveCapacity(former.places.count)
    func append(_ part: Range<Int>, of data: UnsafeRawBufferPointer) {
      bytes.append(contentsOf: (places.isEmpty ? "[\n  " : ",\n  ").utf8)
      let start = bytes.count
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: data[part]))
      places.append(start..<bytes.count)
    }
    former.bytes.withUnsafeBytes { old in
      parts.withUnsafeBytes { new in
        var next = 0
        for place in former.places {
          if let place {
            append(place, of: old)
          } else {
            append(partPlaces[next], of: new)
            next += 1
          }
        }
      }
    }
    bytes.append(contentsOf: "\n]\n".utf8)
    return (bytes, places)
  }
}
