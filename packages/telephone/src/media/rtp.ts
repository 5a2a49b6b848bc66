/** The parts of an RTP packet that a telephone needs: RFC 3550 section 5.1. */
export interface RtpPacket {
  readonly payloadType: number
  readonly sequence: number
  readonly timestamp: number
  readonly source: number
  readonly payload: Buffer
}

const headerBytes = 12

/** Returns whether a packet on the RTP port is RTCP: RFC 5761 section 4. */
export function isRtcp(packet: Buffer): boolean {
  const type = packet[1] ?? 0
  return type >= 192 && type <= 223
}

/** Returns the length of the header with its sources and extension, or null if the packet is too short. */
export function rtpHeaderLength(packet: Buffer): number | null {
  const first = packet[0] ?? 0
  if (packet.length < headerBytes || first >> 6 !== 2) return null
  const fixed = headerBytes + (first & 0x0f) * 4
  if ((first & 0x10) === 0) return fixed <= packet.length ? fixed : null
  if (packet.length < fixed + 4) return null
  const length = fixed + 4 + packet.readUInt16BE(fixed + 2) * 4
  return length <= packet.length ? length : null
}

/** Returns null if the packet is malformed. */
export function parseRtp(packet: Buffer): RtpPacket | null {
  const start = rtpHeaderLength(packet)
  if (start === null) return null
  const hasPadding = ((packet[0] ?? 0) & 0x20) !== 0
  const end = packet.length - (hasPadding ? (packet.at(-1) ?? 0) : 0)
  if (end < start || (hasPadding && end === packet.length)) return null
  return {
    payloadType: (packet[1] ?? 0) & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    source: packet.readUInt32BE(8),
    payload: packet.subarray(start, end),
  }
}

/** The marker is set on the first packet after silence, and on the first packet of a digit. */
export function writeRtp(packet: RtpPacket, isMarked: boolean): Buffer {
  const { payload } = packet
  const bytes = Buffer.allocUnsafe(headerBytes + payload.length)
  bytes[0] = 0x80
  bytes[1] = (isMarked ? 0x80 : 0) | packet.payloadType
  bytes.writeUInt16BE(packet.sequence, 2)
  bytes.writeUInt32BE(packet.timestamp, 4)
  bytes.writeUInt32BE(packet.source, 8)
  payload.copy(bytes, headerBytes)
  return bytes
}
