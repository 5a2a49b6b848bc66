import { describe, expect, test } from 'vitest'
import { encodeMuLaw } from '#telephone/g711.js'
import type { Leg, LineOptions } from '#telephone/index.js'
import { findFreePort } from '../../../../apps/server/test/support/services/free-port.js'
import { Baresip, type BaresipOptions, speech } from '../support/programs/baresip.js'
import { openTestLine } from '../support/programs/test-line.js'
import { decodeALaw, decodeMuLaw, findAudio } from '../support/programs/wav.js'

async function pair(
  options: { readonly line?: Partial<LineOptions>; readonly baresip?: BaresipOptions } = {},
  onCall?: (leg: Leg) => void,
) {
  const baresip = await Baresip.start(options.baresip)
  const port = await findFreePort()
  const server = { host: '127.0.0.1', port: baresip.port, transport: 'udp' } as const
  const line = await openTestLine({ port, ...options.line, server }, onCall)
  return {
    baresip,
    line,
    /** baresip calls this side, and may wait. */
    ring: () => {
      baresip.command('dial', `sip:parley@127.0.0.1:${port}`)
      return line.nextCall()
    },
    /** baresip calls this side. */
    receive: async () => {
      baresip.command('dial', `sip:parley@127.0.0.1:${port}`)
      const call = await line.nextCall()
      await baresip.until('CALL_ESTABLISHED')
      return call
    },
    /** This side calls baresip. */
    dial: async () => {
      const call = line.dial(`sip:peer@127.0.0.1:${baresip.port}`)
      await call.until('answered')
      return call
    },
  }
}

describe('encryption with baresip', () => {
  test.each([
    ['required', ';mediaenc=srtp-mand', 'required'],
    ['offered by both', ';mediaenc=srtp', 'offered'],
    ['offered by baresip, and off here', ';mediaenc=srtp', 'off'],
    ['offered here, and unknown to baresip', '', 'offered'],
  ] as const)('%s', async (_title, account, srtp) => {
    const { receive, dial } = await pair({ baresip: { account }, line: { srtp } })
    for (const connect of [receive, dial]) {
      const call = await connect()
      await call.hears(2)
      expect(findAudio(speech, decodeMuLaw(call.received), 4000, 8000).correlation).toBeGreaterThan(0.99)
      call.leg?.hangUp()
      await call.untilEnded()
    }
  })

  test('is understood by baresip', async () => {
    const account = ';mediaenc=srtp-mand'
    const { baresip, dial } = await pair({ baresip: { account }, line: { srtp: 'required' } })
    const call = await dial()
    call.leg?.play(Uint8Array.from(speech, encodeMuLaw), 'speech')
    await call.until('played speech 4000')
    call.leg?.hangUp()
    await baresip.until('CALL_CLOSED')
    expect(findAudio(speech, await baresip.heard(), 8000, 8000).correlation).toBeGreaterThan(0.9)
  })

  test('is refused if only one side requires it', async () => {
    const { baresip, line } = await pair({ line: { srtp: 'required' } })
    const call = line.dial(`sip:peer@127.0.0.1:${baresip.port}`)
    expect((await call.untilEnded())?.kind).toMatch(/rejected|no_common_codec/)
  })
})

test('A-law is used if baresip knows only that', async () => {
  const { receive } = await pair({ baresip: { account: ';audio_codecs=pcma' } })
  const call = await receive()
  await call.hears(2)
  expect(call.leg?.codec).toBe('g711_alaw')
  expect(findAudio(speech, decodeALaw(call.received), 4000, 8000).correlation).toBeGreaterThan(0.99)
})

describe('digits with baresip', () => {
  test('arrive once each, in both directions', async () => {
    const { baresip, receive } = await pair()
    const call = await receive()
    await call.hears(0.5)
    for (const digit of '15*#') {
      const count = call.events.length
      baresip.command('sndcode', digit)
      await expect.poll(() => call.events.length).toBe(count + 1)
      baresip.command('sndcode', String.fromCharCode(4))
    }
    call.leg?.digits('159*0#')
    const received = () => baresip.parametersOf('CALL_DTMF_START').join('')
    await expect.poll(received).toBe('159*0#')
    expect(call.events.filter((event) => event.startsWith('digit')).join(' ')).toBe(
      'digit 1 digit 5 digit * digit #',
    )
  })
})

describe('hold', () => {
  test('works in both directions', async () => {
    const { baresip, dial } = await pair()
    const call = await dial()
    await call.hears(0.5)
    baresip.command('hold')
    await call.until('held')
    baresip.command('resume')
    await call.until('resumed')
    const before = call.frames.length
    await expect.poll(() => call.frames.length).toBeGreaterThan(before + 20)
    call.leg?.hold(true)
    call.leg?.hold(false)
    const again = call.frames.length
    await expect.poll(() => call.frames.length).toBeGreaterThan(again + 20)
  })
})

describe('transfer', () => {
  test('makes baresip call the other address, and ends the call', async () => {
    const { dial } = await pair()
    const other = await Baresip.start()
    const call = await dial()
    await call.hears(0.5)
    const outcome = await call.leg?.transfer(`sip:peer@127.0.0.1:${other.port}`)
    expect(outcome?.kind).toMatch(/completed|accepted/)
    await other.until('CALL_ESTABLISHED')
    await call.untilEnded()
  })

  test('reports that the other address refused', async () => {
    const { dial } = await pair()
    const call = await dial()
    await call.hears(0.5)
    const port = await findFreePort()
    const server = { host: '127.0.0.1', port: 9, transport: 'udp' } as const
    await openTestLine({ server, port }, (leg) => leg.reject(486))
    expect(await call.leg?.transfer(`sip:busy@127.0.0.1:${port}`)).toEqual({ kind: 'refused', status: 486 })
  })

  test('that baresip asks for is refused', async () => {
    const { baresip, line, receive } = await pair()
    const call = await receive()
    await call.hears(0.5)
    baresip.command('transfer', 'sip:expensive@127.0.0.1:9')
    await baresip.until('TRANSFER_FAILED')
    expect(line.calls).toHaveLength(1)
  })
})

describe('calls that are not answered', () => {
  test('are cancelled by baresip while they ring', async () => {
    const { baresip, ring } = await pair({}, (leg) => leg.ring())
    const call = await ring()
    await baresip.until('CALL_RINGING')
    baresip.command('hangup')
    expect(await call.untilEnded()).toEqual({ kind: 'cancelled' })
  })

  test('are refused as busy', async () => {
    const { baresip, ring } = await pair({}, (leg) => leg.reject(486))
    const call = await ring()
    await baresip.until('CALL_CLOSED')
    expect(baresip.parametersOf('CALL_CLOSED').join()).toContain('486')
    expect(await call.untilEnded()).toEqual({ kind: 'rejected', status: 486 })
  })

  test('are cancelled by this side while they ring', async () => {
    const { baresip, line } = await pair({ baresip: { account: ';answermode=manual' } })
    const call = line.dial(`sip:peer@127.0.0.1:${baresip.port}`)
    await call.until('ringing')
    call.leg?.hangUp()
    expect(await call.untilEnded()).toEqual({ kind: 'hung_up' })
    await baresip.until('CALL_CLOSED')
  })

  test('are refused by baresip', async () => {
    const { baresip, line } = await pair({ baresip: { account: ';answermode=manual' } })
    const call = line.dial(`sip:peer@127.0.0.1:${baresip.port}`)
    await call.until('ringing')
    baresip.command('hangup')
    expect((await call.untilEnded())?.kind).toMatch(/busy|rejected|declined/)
  })
})
