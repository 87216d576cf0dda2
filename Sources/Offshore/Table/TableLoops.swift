public import CSQLite

/// The loops over the rows of a table, compiled for its columns.
///
/// They are created inside ``Table/init(_:_:_:)``, where the types of the columns are known. They
/// are stored in the plan, because the table is copied often.
@usableFromInline
struct TableLoops<Row: Sendable>: Sendable {
  @usableFromInline
  typealias ReadAll = @Sendable (inout RowReader, inout [Row]) -> Int32
  @usableFromInline
  typealias ReadEach =
    @Sendable (inout RowReader, _ limit: Int, _ body: (Row) throws -> Void) throws -> Int32
  @usableFromInline
  typealias WriteAll =
    @Sendable (UnsafeBufferPointer<Row>, inout RowWriter) -> (code: Int32, count: Int)
  @usableFromInline
  typealias WriteOne = @Sendable (UnsafePointer<Row>, inout RowWriter) -> Void
  @usableFromInline
  typealias BindRow =
    @Sendable (UnsafePointer<Row>, UnsafePointer<Int>, inout RowWriter) -> Void

  /// Steps through a statement and appends its rows. Returns SQLite's last code.
  @usableFromInline let readAll: ReadAll
  /// Passes the current row of a statement and the rows after it, up to a limit, to a closure.
  /// Returns SQLite's code of the last step.
  @usableFromInline let readEach: ReadEach
  /// Reads the current row of a statement.
  @usableFromInline let readOne: @Sendable (inout RowReader) -> Row
  /// Binds each row to a statement and steps it once. Returns SQLite's last code and the number of
  /// rows done.
  @usableFromInline let writeAll: WriteAll
  /// Binds the values of a row in declared order.
  @usableFromInline let writeOne: WriteOne

  @inlinable
  init<each Codec: ColumnCodec>(
    _ makeRow: @escaping @Sendable (repeat (each Codec).Value) -> Row,
    _ column: repeat Column<Row, each Codec>
  ) {
    // The offsets of stored properties are looked up once. A row with a property that is not
    // stored, or a row of a class, is read by its key paths.
    var offsets: [Int] = []
    var isStored = true
    for offset in repeat MemoryLayout<Row>.offset(of: (each column).keyPath) {
      offsets.append(offset ?? 0)
      isStored = isStored && offset != nil
    }
    let bindRow =
      isStored ? Self.bindStored(repeat (each Codec).self) : Self.bindByPath(repeat each column)
    readOne = Self.readOne(makeRow, repeat (each Codec).self)
    readAll = Self.readAll(makeRow, repeat (each Codec).self)
    readEach = Self.readEach(makeRow, repeat (each Codec).self)
    writeOne = Self.writeOne(bindRow, offsets)
    writeAll = Self.writeAll(bindRow, offsets)
  }

  // NB: A closure in `init` itself would also capture the columns, and copy them for each row.
  @inlinable @inline(__always)
  static func readOne<each Codec: ColumnCodec>(
    _ makeRow: @escaping @Sendable (repeat (each Codec).Value) -> Row,
    _ codec: repeat (each Codec).Type
  ) -> @Sendable (inout RowReader) -> Row {
    { row in makeRow(repeat row.next((each Codec).self)) }
  }

  @inlinable @inline(__always)
  static func readAll<each Codec: ColumnCodec>(
    _ makeRow: @escaping @Sendable (repeat (each Codec).Value) -> Row,
    _ codec: repeat (each Codec).Type
  ) -> ReadAll {
    { row, rows in
      let statement = row.statement
      while true {
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else { return code }
        row.position = 0
        // A row that failed is appended, too: the caller then discards it.
        rows.append(makeRow(repeat row.next((each Codec).self)))
        guard row.failure == nil else { return SQLITE_MISMATCH }
      }
    }
  }

  @inlinable @inline(__always)
  static func readEach<each Codec: ColumnCodec>(
    _ makeRow: @escaping @Sendable (repeat (each Codec).Value) -> Row,
    _ codec: repeat (each Codec).Type
  ) -> ReadEach {
    { row, limit, body in
      let statement = row.statement
      for _ in 0..<limit {
        row.position = 0
        let value = makeRow(repeat row.next((each Codec).self))
        guard row.failure == nil else { return SQLITE_MISMATCH }
        try body(value)
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else { return code }
      }
      return SQLITE_ROW
    }
  }

  @inlinable @inline(__always)
  static func bindStored<each Codec: ColumnCodec>(_ codec: repeat (each Codec).Type) -> BindRow {
    { address, offsets, row in
      row.position = 0
      repeat row.next((each Codec).self, of: UnsafeRawPointer(address), at: offsets)
    }
  }

  @inlinable @inline(__always)
  static func bindByPath<each Codec: ColumnCodec>(
    _ column: repeat Column<Row, each Codec>
  ) -> BindRow {
    { address, _, row in
      row.position = 0
      repeat row.next((each Codec).self, address.pointee[keyPath: (each column).keyPath])
    }
  }

  @inlinable @inline(__always)
  static func writeOne(_ bindRow: @escaping BindRow, _ offsets: [Int]) -> WriteOne {
    { address, row in
      offsets.withUnsafeBufferPointer { offsets in
        guard let offsets = offsets.baseAddress else { return }
        bindRow(address, offsets, &row)
      }
    }
  }

  @inlinable @inline(__always)
  static func writeAll(_ bindRow: @escaping BindRow, _ offsets: [Int]) -> WriteAll {
    { rows, row in
      offsets.withUnsafeBufferPointer { offsets in
        guard let base = rows.baseAddress, let offsets = offsets.baseAddress,
          let statement = row.statement
        else { return (SQLITE_OK, 0) }
        for index in 0..<rows.count {
          bindRow(base + index, offsets, &row)
          guard row.failure == nil else { return (SQLITE_MISMATCH, index) }
          let code = sqlite3_step(statement)
          guard code == SQLITE_DONE else { return (code, index) }
          sqlite3_reset(statement)
        }
        return (SQLITE_OK, rows.count)
      }
    }
  }
}

extension Table {
  var readAll: TableLoops<Row>.ReadAll { plan.loops.readAll }
  var readEach: TableLoops<Row>.ReadEach { plan.loops.readEach }
  var readOne: @Sendable (inout RowReader) -> Row { plan.loops.readOne }
  var writeAll: TableLoops<Row>.WriteAll { plan.loops.writeAll }

  /// Binds the values of a row in declared order.
  func bind(_ row: Row, _ writer: inout RowWriter) {
    // NB: The loop receives an address, because a row as an argument would be copied.
    withUnsafePointer(to: row) { plan.loops.writeOne($0, &writer) }
  }
}
