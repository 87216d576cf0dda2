import CMicroHTTPD

/// A connection of libmicrohttpd (“the library” in these comments), valid within its callbacks and
/// while it is suspended.
struct ConnectionHandle: @unchecked Sendable {  // Guarded by the library's lock.
  let pointer: OpaquePointer

  /// Suspends the connection. It has to be called within one of the connection's callbacks.
  func suspend() { MHD_suspend_connection(pointer) }

  /// Resumes the suspended connection, from any thread.
  func resume() { MHD_resume_connection(pointer) }

  /// Sends bytes without the library's queue if the connection is encrypted.
  ///
  /// It has to be called within one of the connection's callbacks.
  /// - Returns: whether the connection is encrypted.
  func sendEncrypted(_ bytes: [UInt8]) -> Bool {
    offshore_mhd_send_encrypted(pointer, bytes, bytes.count) != 0
  }

  /// Queues a response, and announces the end of the connection if it is the last one.
  func queue(_ response: Response, isLast: Bool, _ connection: ClientConnection) -> MHD_Result {
    guard let native = create(response, connection) else {
      response.disconnect()
      return .NO
    }
    defer { MHD_destroy_response(native) }
    for (name, value) in response.headers.fields
    where Headers.isToken(name) && !Headers.isSetByServer(name) {
      _ = MHD_add_response_header(native, name, value)
    }
    if isLast { _ = MHD_add_response_header(native, "Connection", "close") }
    return MHD_queue_response(pointer, UInt32(response.status.rawValue), native)
  }

  /// The length of the block from which events are sent to clients of HTTP/1.0. Each open stream has
  /// one, but to other clients the library sends chunks from the memory of the connection.
  private static let eventLength = 1 << 7
  /// The length up to which a body is copied as a whole. Longer ones are copied in parts of it.
  private static let copiedLength = 64 << 10

  private func create(_ response: Response, _ connection: ClientConnection) -> OpaquePointer? {
    switch response.body {
    case .bytes(let bytes) where bytes.count <= Self.copiedLength:
      connection.enter(.sendingResponse)
      return bytes.withUnsafeBytes { bytes in
        // NB: The parameter is mutable for other modes; copied bytes are only read.
        MHD_create_response_from_buffer(
          bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
      }
    case .bytes(let bytes):
      connection.enter(.sendingResponse)
      return MHD_create_response_from_callback(
        UInt64(bytes.count), Self.copiedLength, readBytes,
        Unmanaged.passRetained(SentBytes(bytes)).toOpaque(), releaseBytes)
    case .file(let slice):
      connection.enter(.sendingResponse)
      let descriptor = slice.duplicate()
      guard descriptor >= 0 else { return nil }
      // The library closes the descriptor together with the response.
      return MHD_create_response_from_fd_at_offset64(
        UInt64(slice.count), descriptor, UInt64(slice.offset))
    case .events(let channel):
      let handle = self
      let reader = EventBuffer.Connection(
        suspend: { handle.suspend() }, resume: { handle.resume() },
        shutDown: { connection.shutDown() })
      guard channel.attach(reader) else { return nil }
      connection.enter(.streaming(channel))
      return MHD_create_response_from_callback(
        UInt64.max, Self.eventLength, readEvents, Unmanaged.passRetained(channel).toOpaque(),
        releaseEvents)
    }
  }
}

/// The bytes of a body that is being sent.
private final class SentBytes: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

private func readBytes(
  context: UnsafeMutableRawPointer?, position: UInt64, memory: UnsafeMutablePointer<CChar>?,
  count: Int
) -> Int {
  guard let context else { return -1 }
  let body = Unmanaged<SentBytes>.fromOpaque(context).takeUnretainedValue()
  let start = Int(position)
  let part = body.bytes[start..<min(start + count, body.bytes.count)]
  UnsafeMutableRawBufferPointer(start: memory, count: count).copyBytes(from: part)
  return part.count
}

private func releaseBytes(context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<SentBytes>.fromOpaque(context).release()
}

private func readEvents(
  context: UnsafeMutableRawPointer?, position: UInt64, memory: UnsafeMutablePointer<CChar>?,
  count: Int
) -> Int {
  guard let context else { return -1 }
  let channel = Unmanaged<EventChannel>.fromOpaque(context).takeUnretainedValue()
  return switch channel.read(into: UnsafeMutableRawBufferPointer(start: memory, count: count)) {
  case .bytes(let count): count
  case .wait: 0
  // The constant `MHD_CONTENT_READER_END_OF_STREAM` has a cast and is not imported.
  case .end: -1
  }
}

private func releaseEvents(context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<EventChannel>.fromOpaque(context).takeRetainedValue().disconnect()
}
