public import Observation

/// A window of rows of a long ordered list, which is read page by page in both directions.
///
/// ```swift
/// let window = PagedWindow(at: .end) {
///   await store.values(of: notes).running()
/// } before: { note, size in
///   try await repository.notes(before: note, limit: size)
/// } after: { note, size in
///   try await repository.notes(after: note, limit: size)
/// } row: { id in
///   try await repository.note(id)
/// }
/// await window.load()
/// window.state  // .loaded([…]), the last 50
/// await window.loadBefore()  // the 50 before them, too
/// await window.show(.around(hit))  // other rows
/// ```
///
/// Reads run one after the other. After each change the shown rows are read again, from the first to
/// the last one, and replaced at once. If the window reaches the end of the list, new rows at the
/// end become part of it. If it does not, they do not: ``newerCount`` counts them. No row appears
/// twice, even if it moves between pages.
///
/// The window has a maximum number of rows. Beyond it, a page that is read at one end removes rows at
/// the other.
@MainActor
public final class PagedWindow<Element: Identifiable & Sendable>: Observable
where Element.ID: Sendable {
  /// The rows to read.
  private enum Read: Hashable, Sendable {
    /// The rows at the requested position.
    case position
    /// The visible rows.
    case visibleRows
    /// The page before the visible rows.
    case rowsBefore
    /// The page after the visible rows.
    case rowsAfter
  }

  /// The state of the rows.
  @Observed public private(set) var state = ViewState<[Element]>.idle
  /// Whether there are rows before the first one.
  @Observed public private(set) var canLoadBefore = false
  /// Whether there are rows after the last one.
  @Observed public private(set) var canLoadAfter = false
  /// The number of rows that were added at the end of the list while the window did not reach it, at
  /// most the page size. They are counted from the last row at the time when the window opened at
  /// its position, or left the end.
  @Observed public private(set) var newerCount = 0
  /// Whether the page before the rows is being read.
  @Observed public private(set) var isLoadingBefore = false
  /// Whether the page after the rows is being read.
  @Observed public private(set) var isLoadingAfter = false
  /// The error of reading the page before the rows, or `nil`. Call ``loadBefore()`` to retry.
  @Observed public private(set) var beforeError: AppError?
  /// The error of reading the page after the rows, or `nil`. Call ``loadAfter()`` to retry.
  @Observed public private(set) var afterError: AppError?
  /// The error of the latest refresh or of ``show(_:)``, if it failed. Call ``load()`` to retry.
  @Observed public private(set) var refreshError: AppError?
  /// The position at which the window opened last, or will open first.
  ///
  /// It is ``WindowPosition/end`` if the row of the requested position does not exist.
  @Observed public private(set) var position: WindowPosition<Element.ID>
  /// Whether the row of the requested position does not exist, so that the end is shown instead.
  @Observed public private(set) var isRowMissing = false
  /// The number of times that the window has opened at a position.
  ///
  /// A view that sees it change scrolls to the position. Otherwise it leaves the visible rows in
  /// place.
  @Observed public private(set) var openCount = 0

  private var rows = WindowRows<Element>()
  /// The position to open, until it has been read.
  private var target: WindowPosition<Element.ID>?
  private let makeChanges: @MainActor () async -> (any AsyncSequence)?
  private let reader: WindowReader<Element>
  private var observation: Task<Void, Never>?
  private var queue = ReadQueue<Read>()

  /// Creates a window. Nothing is read before ``load()``.
  ///
  /// The order of the list must be total, and `before` and `after` must compare by the element's
  /// values, not by its position or its id: the element may have been deleted meanwhile. Both are
  /// requested to read one element more than needed, to determine whether there are further ones.
  ///
  /// - Parameters:
  ///   - position: the position at which the window opens.
  ///   - pageSize: the number of rows of a page, at least 1.
  ///   - maximumCount: the maximum number of rows, at least four pages, so that rows are removed far
  ///     from the place to which the user scrolls.
  ///   - changes: returns a sequence whose every element and error means that rows have changed; see
  ///     ``PagedList``.
  ///   - before: reads the last `size` elements before an element, or of the whole list if it is
  ///     `nil`, in the order of the list.
  ///   - after: reads the first `size` elements after an element, or of the whole list if it is
  ///     `nil`, in the order of the list.
  ///   - row: returns the row with an id, or `nil` if it does not exist in the list.
  /// - Precondition: `pageSize` is at least 1, and `maximumCount` at least 4 times as large.
  public init(
    at position: WindowPosition<Element.ID> = .end, pageSize: Int = 50, maximumCount: Int = 400,
    changes: @escaping @MainActor () async -> (any AsyncSequence)? = { nil },
    before: @escaping @MainActor (_ element: Element?, _ size: Int) async throws -> [Element],
    after: @escaping @MainActor (_ element: Element?, _ size: Int) async throws -> [Element],
    row: @escaping @MainActor (_ id: Element.ID) async throws -> Element? = { _ in nil }
  ) {
    precondition(pageSize > 0, "A page needs at least one row. Pass a `pageSize` of 1 or more.")
    precondition(
      maximumCount / 4 >= pageSize, "A window has four pages or more. Pass a larger `maximumCount`."
    )
    _position = Observed(wrappedValue: position)
    target = position
    makeChanges = changes
    reader = WindowReader(
      before: before, after: after, row: row, pageSize: pageSize, maximumCount: maximumCount)
  }

  deinit {
    observation?.cancel()
    queue.cancelAll()
  }

  // MARK: - Requests

  /// Reads the rows at the position, or the visible rows again.
  ///
  /// A call during another one waits for it.
  public func load() async {
    let next = target == nil ? Read.visibleRows : .position
    await (queue.unfinished(next) ?? read(next)).value
  }

  /// Reads the visible rows again. A read that is running already may not contain the latest
  /// change, so another one follows it.
  public func refresh() async { await read(.visibleRows).value }

  /// Opens another position. The visible rows stay until its rows are read, and if that fails.
  ///
  /// If the row of the position does not exist, the window opens at the end, and ``isRowMissing`` is
  /// true.
  public func show(_ position: WindowPosition<Element.ID>) async {
    target = position
    await read(.position).value
  }

  /// Reads the page before the first row, if there is one.
  ///
  /// A call during another one waits for it.
  public func loadBefore() async {
    guard canLoadBefore else { return }
    await (queue.unfinished(.rowsBefore) ?? read(.rowsBefore)).value
  }

  /// Reads the page after the last row, if there is one.
  ///
  /// A call during another one waits for it.
  public func loadAfter() async {
    guard canLoadAfter else { return }
    await (queue.unfinished(.rowsAfter) ?? read(.rowsAfter)).value
  }

  private func observe(_ changes: some AsyncSequence) {
    observation = Task { [weak self] in
      // NB: A running read may have started before the change, so another one is needed.
      await changes.forEachResult { _ in _ = self?.read(.visibleRows) }
    }
  }

  // MARK: - Reading

  /// The position to open, or else the rows to read again or to extend.
  private struct Request {
    var target: WindowPosition<Element.ID>?
    var rows: WindowRows<Element>
  }

  /// The result of a read.
  private struct Reading {
    var rows: WindowRows<Element>
    /// Whether the rows are those at the end because the row of the position does not exist.
    var isRowMissing = false
    /// The position with the row that was found, if others had been requested, too.
    var position: WindowPosition<Element.ID>?
  }

  private func read(_ read: Read) -> Task<Void, Never> {
    queue.add(read) { previous in
      Task { [weak self, makeChanges, reader] in
        await previous?.value
        // NB: A running read does not retain the window.
        guard let request = self?.begin(read) else { return }
        // NB: Changes are observed before the first rows are read, so none is missed.
        if self?.observation == nil, let changes = await makeChanges() { self?.observe(changes) }
        do {
          let result = try await Self.perform(read, request, reader)
          self?.end(read, request, result)
        } catch {
          self?.end(read, error.asAppError)
        }
      }
    }
  }

  private static func perform(
    _ read: Read, _ request: Request, _ reader: WindowReader<Element>
  ) async throws -> Reading {
    if let target = request.target {
      guard let position = try await reader.existing(target),
        let rows = try await reader.rows(at: position)
      else {
        return Reading(rows: try await reader.end(reader.pageSize), isRowMissing: true)
      }
      return Reading(rows: rows, position: position)
    }
    switch read {
    case .position, .visibleRows: return Reading(rows: try await reader.again(request.rows))
    case .rowsBefore: return Reading(rows: try await reader.extendedBackwards(request.rows))
    case .rowsAfter: return Reading(rows: try await reader.extendedForwards(request.rows))
    }
  }

  /// Returns what to read, or `nil` if there is nothing to read.
  private func begin(_ read: Read) -> Request? {
    queue.begin(read)
    switch read {
    case .position, .visibleRows:
      if !state.isKnown { state = .loading }
      return Request(target: target, rows: rows)
    case .rowsBefore where canLoadBefore: (isLoadingBefore, beforeError) = (true, nil)
    case .rowsAfter where canLoadAfter: (isLoadingAfter, afterError) = (true, nil)
    case .rowsBefore, .rowsAfter:
      queue.end()
      return nil
    }
    return Request(target: nil, rows: rows)
  }

  private func end(_ read: Read, _ request: Request, _ result: Reading) {
    queue.end()
    rows = result.rows
    if let requested = request.target {
      // Another position may have been requested meanwhile.
      if target == requested { target = nil }
      position = result.isRowMissing ? .end : result.position ?? requested
      isRowMissing = result.isRowMissing
      openCount += 1
    }
    state = ViewState(rows.elements)
    (canLoadBefore, canLoadAfter) = (rows.hasBefore, rows.hasAfter)
    newerCount = rows.newerCount
    switch read {
    case .position, .visibleRows: (refreshError, beforeError, afterError) = (nil, nil, nil)
    case .rowsBefore: isLoadingBefore = false
    case .rowsAfter: isLoadingAfter = false
    }
  }

  private func end(_ read: Read, _ error: AppError) {
    queue.end()
    switch read {
    case .position, .visibleRows:
      if state.isKnown { refreshError = error } else { state = .error(error) }
    case .rowsBefore: (isLoadingBefore, beforeError) = (false, error)
    case .rowsAfter: (isLoadingAfter, afterError) = (false, error)
    }
  }
}
