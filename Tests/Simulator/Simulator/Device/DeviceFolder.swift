import OffshoreWire

/// The files of a device, in memory. The rules of the product's folder apply.
struct DeviceFolder {
  private(set) var contents: [ContentHash: [UInt8]] = [:]
  /// The times of the last additions, by the device's clock, in milliseconds since 1970.
  private var changes: [ContentHash: Int64] = [:]

  var hashes: Set<ContentHash> { Set(contents.keys) }

  /// Stores a file. One that is there already stays as long as a new one.
  @discardableResult
  mutating func add(_ content: [UInt8], at time: Int64) -> BlobReference {
    let hash = ContentHash(of: content)
    (contents[hash], changes[hash]) = (content, time)
    return BlobReference(hash)
  }

  /// Deletes a file.
  /// - Parameter time: the time since which it must not have been added again.
  mutating func remove(_ hash: ContentHash, ifUnchangedSince time: Int64 = .max) {
    guard let last = changes[hash], last <= time else { return }
    (contents[hash], changes[hash]) = (nil, nil)
  }

  /// Returns the files that were not added again since a time.
  func files(unchangedSince time: Int64) -> [ContentHash] {
    changes.filter { $0.value <= time }.map(\.key)
  }
}
