/// The batches that a device sends, the body of `POST /v1/push`.
public struct PushRequest: Hashable, Sendable {
  /// The device.
  public let device: DeviceID
  /// The last known epoch of the server's data, or 0. A server that was restored begins a new one.
  public let epoch: UInt64
  /// The version of the device's ``Manifest``.
  public let manifestVersion: Int
  /// The batches. Those of one scope are in the order of their numbers.
  public let batches: [Batch]

  /// Creates a request with at most ``WireLimits/batchesPerPush`` batches, which have at most
  /// ``WireLimits/opsPerPush`` ops in total.
  public init(device: DeviceID, epoch: UInt64, manifestVersion: Int, batches: [Batch]) {
    self.device = device
    self.epoch = epoch
    self.manifestVersion = manifestVersion
    self.batches = batches
  }
}

extension PushRequest: WireMessage {
  package static var kind: WireKind { .pushRequest }

  package func encode(into writer: inout WireWriter) {
    writer.value(device)
    writer.number(epoch)
    writer.count(manifestVersion)
    writer.list(batches)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    device = try reader.value()
    epoch = try reader.number()
    manifestVersion = Int(clamping: try reader.natural())
    batches = try reader.list()
    guard batches.count <= WireLimits.batchesPerPush,
      batches.reduce(0, { $0 + $1.ops.count }) <= WireLimits.opsPerPush
    else {
      throw WireError(
        .tooLarge,
        """
        A push has \(WireLimits.batchesPerPush) batches and \(WireLimits.opsPerPush) ops at the most. \
        Send fewer batches at once.
        """,
        offset: reader.offset)
    }
  }
}
