extension TablePage {
  /// Makes the hashes of a page's rows one after the other, without making rows of them.
  package struct Hashes {
    private let page: TablePage
    /// The columns in the order of their names, in which fields are hashed.
    private let order: [Int]
    private var versions: ArraySlice<Version>
    /// Has room for a row.
    private var writer = WireWriter(capacity: 256)
    /// Whether each row has each column.
    package let isWhole: Bool

    /// - Returns: `nil` for a page with keys of compound columns, whose rows are to be made.
    package init?(_ page: TablePage) {
      guard page.parts.isEmpty else { return nil }
      self.page = page
      order = page.columns.indices.sorted { page.columns[$0].name < page.columns[$1].name }
      versions = page.versions[...]
      isWhole = page.columns.allSatisfy { column in !column.values.contains { $0 == nil } }
    }

    /// The versions of the next row's values by column, and the row's ``RowState/hash(of:)``.
    ///
    /// Rows are asked for in order, each once. The hash of a row that is not there is 0.
    package mutating func next(_ row: Int) -> (versions: [Int: Stamp], hash: UInt64) {
      var own: [Int: Stamp] = [:]
      while let version = versions.first, version.row == row {
        own[version.column] = version.stamp
        versions.removeFirst()
      }
      return (own, page.heads[row].presence == .living ? hash(of: row, own) : 0)
    }

    private mutating func hash(of row: Int, _ versions: [Int: Stamp]) -> UInt64 {
      writer.clear()
      writer.text(page.table)
      writer.text(page.heads[row].id)
      writer.signed(page.heads[row].generation)
      writer.byte(page.heads[row].presence.rawValue)
      writer.value(page.heads[row].stamp)
      let present = isWhole ? order : order.filter { page.columns[$0].values[row] != nil }
      writer.count(present.count)
      var last: Stamp?
      for index in present {
        guard let value = page.columns[index].values[row] else { continue }
        writer.text(page.columns[index].name)
        FieldWriter.write(versions[index], after: &last, to: &writer)
        value.encode(into: &writer)
      }
      return BLAKE2b.hash64(writer.bytes)
    }
  }
}
