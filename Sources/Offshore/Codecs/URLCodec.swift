import CSQLite
public import Foundation

/// A codec that stores a URL as its absolute text; a stored text that is not a URL is an error.
@_documentation(visibility: internal)
public enum URLCodec: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (URL, URL) {
    (
      URL(filePath: "/a", directoryHint: .notDirectory),
      URL(filePath: "/b", directoryHint: .notDirectory)
    )
  }

  public static func read(_ row: inout RowReader, _ index: Int32) -> URL {
    guard row.storageClass(index) == SQLITE_TEXT,
      let text = row.string(index),
      let value = URL(string: text, encodingInvalidCharacters: false)
    else {
      row.fail(index, expected: "a URL as text")
      return samples.0
    }
    return value
  }

  public static func bind(_ value: URL, _ row: inout RowWriter, _ index: Int32) {
    StringCodec.bind(value.absoluteString, &row, index)
  }
}

@_documentation(visibility: internal)
extension URL: ColumnValue { public typealias Codec = URLCodec }
