import { describe, expect, test } from 'vitest'
import { writeRtp } from '#telephone/media/rtp.js'
import { deriveSessionKeys, SrtpReceiver, SrtpSender } from '#telephone/media/srtp.js'

const master = Buffer.from('E1F97A0D3E018BE0D64FA32C06DE41390EC675AD498AFEEBB6960B3AABE6', 'hex')

function packetOf(sequence: number, source = 7): Buffer {
  const payload = Buffer.from(`payload ${sequence}`)
  return writeRtp({ payloadType: 0, sequence, timestamp: sequence * 160, source, payload }, false)
}

describe('SRTP', () => {
  test('derives the keys of RFC 3711 appendix B.3', () => {
    const keys = deriveSessionKeys(master)
    expect(keys.cipher.toString('hex').toUpperCase()).toBe('C61E7A93744F39EE10734AFE3FF7A087')
    expect(keys.salt.toString('hex').toUpperCase()).toBe('30CBBC08863D8C85D49DB34A9AE1')
    expect(keys.authentication.toString('hex').toUpperCase()).toBe('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4')
  })

  test('protects a packet as libsrtp does', () => {
    const plain = Buffer.from(`800f1234decafbadcafebabe${'ab'.repeat(16)}`, 'hex')
    expect(new SrtpSender(master).protect(plain).toString('hex')).toBe(
      '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb',
    )
  })

  test('opens its own packets over two rollovers of the sequence number', () => {
    const sender = new SrtpSender(master)
    const receiver = new SrtpReceiver(master)
    for (let index = 65_000; index < 65_000 + 2 * 65_536; index += 97) {
      const packet = packetOf(index % 65_536)
      expect(receiver.open(sender.protect(packet))?.equals(packet)).toBe(true)
    }
  })

  test('opens packets in another order around a rollover', () => {
    const sender = new SrtpSender(master)
    const receiver = new SrtpReceiver(master)
    const [one, two, three, four] = [65_534, 65_535, 0, 1].map((sequence) =>
      sender.protect(packetOf(sequence)),
    )
    const opened = [one, three, two, four].map((packet) => receiver.open(packet ?? Buffer.alloc(0)) !== null)
    expect(opened).toEqual([true, true, true, true])
  })

  test('rejects a changed, a repeated and a short packet', () => {
    const sender = new SrtpSender(master)
    const receiver = new SrtpReceiver(master)
    const packet = sender.protect(packetOf(1))
    for (let index = 0; index < packet.length; index += 1) {
      const changed = Buffer.from(packet)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(receiver.open(changed)).toBeNull()
    }
    expect(receiver.open(packet)).not.toBeNull()
    expect(receiver.open(packet)).toBeNull()
    expect(receiver.open(packet.subarray(0, 15))).toBeNull()
    expect(receiver.open(Buffer.alloc(0))).toBeNull()
  })

  test('rejects a replayed packet of an earlier source, and continues with the newer one', () => {
    const [first, second] = [new SrtpSender(master), new SrtpSender(master)]
    const receiver = new SrtpReceiver(master)
    const recorded = first.protect(packetOf(9, 1))
    expect(receiver.open(recorded)).not.toBeNull()
    // The sequence numbers of the newer source roll over once.
    for (const sequence of [50_000, 65_535, 0]) receiver.open(second.protect(packetOf(sequence, 2)))
    expect(receiver.open(recorded)).toBeNull()
    expect(receiver.open(second.protect(packetOf(1, 2)))).not.toBeNull()
  })

  test('follows a new source with the same key', () => {
    const receiver = new SrtpReceiver(master)
    expect(receiver.open(new SrtpSender(master).protect(packetOf(9, 1)))).not.toBeNull()
    expect(receiver.open(new SrtpSender(master).protect(packetOf(3, 2)))).not.toBeNull()
  })
})
