import { describe, expect, test } from 'vitest'
import { encodeMuLaw } from '#telephone/g711.js'
import { findFreePort } from '../../../../apps/server/test/support/services/free-port.js'
import { Baresip, speech } from '../support/programs/baresip.js'
import { loopbackCertificate } from '../support/programs/loopback-certificate.js'
import { openTestLine } from '../support/programs/test-line.js'
import { decodeMuLaw, findAudio } from '../support/programs/wav.js'

const transports = ['udp', 'tcp', 'tls'] as const
const tls = { ...loopbackCertificate, ca: loopbackCertificate.certificate }
/** mu-law of what baresip says, which this side says too. */
const said = Uint8Array.from(speech, encodeMuLaw)

describe.each(transports)('calls with baresip over %s', (transport) => {
  async function connect() {
    const baresip = await Baresip.start()
    const port = await findFreePort()
    const line = await openTestLine(
      {
        server: { host: '127.0.0.1', port: transport === 'tls' ? baresip.tlsPort : baresip.port, transport },
        port,
        tls,
      },
      (leg) => {
        leg.play(said, 'greeting')
        leg.accept()
      },
    )
    return { baresip, line, port }
  }

  test('are received, heard in both directions, and ended by the caller', async () => {
    const { baresip, line, port } = await connect()
    baresip.command('dial', `sip:parley@127.0.0.1:${port};transport=${transport}`)
    const call = await line.nextCall()
    await baresip.until('CALL_ESTABLISHED')
    await call.until('played greeting 4000')
    await call.hears(4.5)
    baresip.command('hangup')
    expect(await call.untilEnded()).toEqual({ kind: 'hung_up_by_peer' })
    expect(call.leg?.codec).toBe('g711_ulaw')
    expect(findAudio(speech, decodeMuLaw(call.received), 8000, 16_000).correlation).toBeGreaterThan(0.99)
    expect(findAudio(speech, await baresip.heard(), 8000, 16_000).correlation).toBeGreaterThan(0.9)
  })

  test('are made, heard, and ended by this side', async () => {
    const { baresip, line } = await connect()
    const call = line.dial(`sip:peer@127.0.0.1:${transport === 'tls' ? baresip.tlsPort : baresip.port}`)
    await call.until('answered')
    await call.hears(2)
    expect(findAudio(speech, decodeMuLaw(call.received), 4000, 8000).correlation).toBeGreaterThan(0.99)
    call.leg?.hangUp()
    expect(await call.untilEnded()).toEqual({ kind: 'hung_up' })
    await baresip.until('CALL_CLOSED')
  })
})

describe('TLS', () => {
  test('rejects a server whose certificate is not trusted', async () => {
    const baresip = await Baresip.start()
    const server = { host: '127.0.0.1', port: baresip.tlsPort, transport: 'tls' } as const
    const line = await openTestLine({ server })
    const call = line.dial(`sip:peer@127.0.0.1:${baresip.tlsPort}`)
    expect(await call.untilEnded()).toEqual({ kind: 'unreachable' })
  })
})
