import CPixels
import OffshoreImages

/// A scaler that receives an image row by row, so that only the scaled image is in memory.
///
/// Each pixel of the result is the mean of the area that it covers, in which a color counts as much
/// as it is visible.
struct RowScaler {
  private let source: ImageSize
  private let target: ImageSize
  private let hasAlpha: Int32
  private var pixels: [UInt32]
  /// The current row, scaled horizontally.
  private var cells: [Float]
  /// The rows of the current row of the result, summed.
  private var sums: [Float]
  private var row = 0

  /// - Parameters:
  ///   - source: the size of the image.
  ///   - target: the size of the result, which is not larger on any side.
  ///   - hasAlpha: whether the fourth byte of a pixel is alpha.
  init(from source: ImageSize, to target: ImageSize, hasAlpha: Bool) {
    self.source = source
    self.target = target
    self.hasAlpha = hasAlpha ? 1 : 0
    pixels = [UInt32](repeating: 0, count: target.pixelCount)
    cells = [Float](repeating: 0, count: target.width * 4)
    sums = cells
  }

  /// Adds all rows.
  /// - Parameter read: writes the next row to a place, and returns whether that succeeded.
  /// - Returns: whether all rows were read.
  mutating func add(rows count: Int, _ read: (UnsafeMutablePointer<UInt8>?) -> Bool) -> Bool {
    var row = [UInt8](repeating: 0, count: source.width * 4)
    return row.withUnsafeMutableBufferPointer { row in
      for _ in 0..<count {
        guard read(row.baseAddress) else { return false }
        add(UnsafeRawBufferPointer(row)[...])
      }
      return true
    }
  }

  /// Adds the next row, four bytes a pixel.
  mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    defer { row += 1 }
    if source == target {
      let start = row * bytes.count
      pixels.withUnsafeMutableBytes { pixels in
        let place = pixels[start..<start + bytes.count]
        UnsafeMutableRawBufferPointer(rebasing: place).copyMemory(from: bytes)
      }
    } else {
      let first = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
      offshore_shrink_row(first, source.width, &cells, target.width, hasAlpha)
      addCells()
    }
  }

  /// Returns the pixels of the result after the last row. The scaler is empty then.
  mutating func finish() -> [UInt32] {
    let result = pixels
    pixels = []
    return result
  }

  /// Adds the scaled row to one or two rows of the result.
  ///
  /// A row is as high as the result has rows, and a row of the result as high as the image has rows.
  private mutating func addCells() {
    let place = row * target.height
    let result = place / source.height
    let rest = (result + 1) * source.height - place
    let part = min(rest, target.height)
    offshore_add_cells(cells, Float(part), &sums, target.width)
    guard part == rest else { return }
    let weight = Float(source.width) * Float(source.height)
    offshore_store_sums(&sums, target.width, weight, hasAlpha, &pixels, result)
    offshore_add_cells(cells, Float(target.height - part), &sums, target.width)
  }
}
