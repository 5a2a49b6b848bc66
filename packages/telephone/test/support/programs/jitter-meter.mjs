// Measures the pace of RTP streams in a thread of its own: RFC 3550 section 6.4.1, and the longest gap.
import { createSocket } from 'node:dgram'
import { parentPort } from 'node:worker_threads'

const streams = new Map()
const socket = createSocket({ type: 'udp4', recvBufferSize: 1024 * 1024 })

socket.on('message', (packet) => {
  const now = performance.now()
  const source = packet.readUInt32BE(8)
  const timestamp = packet.readUInt32BE(4) / 8
  const stream = streams.get(source) ?? {
    packets: 0,
    jitter: 0,
    jitters: [],
    gaps: [],
    transit: now - timestamp,
    at: now,
  }
  const transit = now - timestamp
  // The first packets come while the calls are set up.
  if (stream.packets > 50) {
    stream.jitter += (Math.abs(transit - stream.transit) - stream.jitter) / 16
    stream.jitters.push(stream.jitter)
    stream.gaps.push(now - stream.at)
  }
  streams.set(source, { ...stream, packets: stream.packets + 1, transit, at: now })
})
socket.bind(0, '127.0.0.1', () => parentPort.postMessage({ port: socket.address().port }))

parentPort.on('message', () => {
  const all = [...streams.values()]
  const gaps = all.flatMap((stream) => stream.gaps).sort((one, other) => one - other)
  parentPort.postMessage({
    streams: all.length,
    packets: all.reduce((sum, { packets }) => sum + packets, 0),
    // The mean over the call. The last value alone depends on the last few packets.
    jitter: Math.max(
      ...all.map(({ jitters }) => jitters.reduce((sum, value) => sum + value, 0) / jitters.length),
    ),
    medianGap: gaps[gaps.length >> 1],
    p99Gap: gaps[Math.floor(gaps.length * 0.99)],
    longestGap: gaps.at(-1),
  })
})
