/// Metrics in the text format of Prometheus
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/>).
struct MetricsText {
  private(set) var text = ""

  /// Measured values, in addition to the counts.
  struct Gauges {
    let streams: Int
    let bytes: Int64?
  }

  init(_ counts: ServerMetrics.Counts, _ gauges: Gauges) {
    begin("offshore_requests_total", "counter", "Requests that were answered.")
    for (outcome, count) in counts.requests.sorted(by: { $0.key < $1.key }) {
      let labels =
        #"method="\#(outcome.method)",route="\#(outcome.route)",status="\#(outcome.status)""#
      add("offshore_requests_total", labels, "\(count)")
    }
    begin(
      "offshore_request_duration_seconds", "histogram",
      "How long requests took from their heads to their answers.")
    for (route, histogram) in counts.durations.sorted(by: { $0.key < $1.key }) {
      add(histogram, route)
    }
    value("offshore_event_streams", "gauge", "Event streams that are open.", "\(gauges.streams)")
    value("offshore_ops_pushed_total", "counter", "Ops of applied batches.", "\(counts.opsPushed)")
    value("offshore_rows_pulled_total", "counter", "Rows of pages.", "\(counts.rowsPulled)")
    begin("offshore_batches_rejected_total", "counter", "Batches that were not applied.")
    for (code, count) in counts.rejected.sorted(by: { $0.key < $1.key }) {
      add("offshore_batches_rejected_total", #"code="\#(code)""#, "\(count)")
    }
    value(
      "offshore_rate_limited_total", "counter", "Requests that came too often.",
      "\(counts.rateLimited)")
    value(
      "offshore_devices_ahead_total", "counter",
      "Cursors and batches of devices that the data lacks: it was restored without offshore restored.",
      "\(counts.devicesAhead)")
    if let bytes = gauges.bytes {
      value("offshore_data_bytes", "gauge", "The size of the data's files.", "\(bytes)")
    }
  }

  private mutating func add(_ histogram: ServerMetrics.Histogram, _ route: String) {
    let name = "offshore_request_duration_seconds"
    var total = 0
    for (place, count) in histogram.counts.enumerated() {
      total += count
      let bounds = ServerMetrics.Histogram.bounds
      let bound = place < bounds.count ? "\(bounds[place])" : "+Inf"
      add("\(name)_bucket", #"route="\#(route)",le="\#(bound)""#, "\(total)")
    }
    add("\(name)_sum", #"route="\#(route)""#, "\(histogram.sum)")
    add("\(name)_count", #"route="\#(route)""#, "\(total)")
  }

  private mutating func value(_ name: String, _ type: String, _ help: String, _ value: String) {
    begin(name, type, help)
    text += "\(name) \(value)\n"
  }

  private mutating func begin(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func add(_ name: String, _ labels: String, _ value: String) {
    text += "\(name){\(labels)} \(value)\n"
  }
}
