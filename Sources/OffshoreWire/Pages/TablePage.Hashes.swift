extension TablePage {
  /// The hashes of a page's rows, computed one after the other without creating the rows.
  package struct Hashes {
    private let page: TablePage
    /// The indices of the columns, sorted by name, which is the order in which fields are hashed.
    private let order: [Int]
    private var versions: ArraySlice<Version>
    /// A buffer with room for a typical row.
    private var writer = WireWriter(capacity: 256)
    /// Whether every row has every column.
    package let isWhole: Bool

    /// Prepares the hashes of a page.
    /// - Returns: `nil` for a page with keys of compound columns, whose hashes require its
    ///   ``rows``.
    package init?(_ page: TablePage) {
      guard page.parts.isEmpty else { return nil }
      self.page = page
      order = page.columns.indices.sorted { page.columns[$0].name < page.columns[$1].name }
      versions = page.versions[...]
      isWhole = page.columns.allSatisfy { column in !column.values.contains { $0 == nil } }
    }

    /// Returns the versions of a row's values by column, and the row's ``RowState/hash(of:)``.
    ///
    /// It has to be called once for each row, in order. The hash of a tombstone is 0.
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
