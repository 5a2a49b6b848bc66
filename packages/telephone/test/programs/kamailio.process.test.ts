import { describe, expect, test } from 'vitest'
import { Baresip, speech } from '../support/programs/baresip.js'
import { startKamailio } from '../support/programs/kamailio.js'
import { openTestLine } from '../support/programs/test-line.js'
import { decodeMuLaw, findAudio } from '../support/programs/wav.js'

describe.each(['udp', 'tcp'] as const)('a line at Kamailio over %s', (transport) => {
  async function register() {
    const port = await startKamailio()
    const server = { host: '127.0.0.1', port, transport }
    const line = await openTestLine({ server, domain: `127.0.0.1:${port}`, isRegistered: true })
    await line.untilRegistered()
    return { port, server, line }
  }

  function startPeer(port: number) {
    return Baresip.start({
      address: `sip:peer@127.0.0.1:${port};transport=${transport}`,
      account: ';auth_user=peer;auth_pass=secret;regint=60',
      isRegistered: true,
    })
  }

  test('is registered for the time that was granted', async () => {
    const { line } = await register()
    expect(line.states).toEqual([{ kind: 'registering' }, { kind: 'registered', seconds: 60 }])
  })

  test('asks for a longer time if the registrar finds it too short', async () => {
    const port = await startKamailio()
    const server = { host: '127.0.0.1', port, transport }
    const domain = `127.0.0.1:${port}`
    const line = await openTestLine({ server, domain, isRegistered: true, expiresSeconds: 5 })
    await line.untilRegistered()
    expect(line.states.at(-1)).toEqual({ kind: 'registered', seconds: 20 })
  })

  test('is not registered with a wrong password', async () => {
    const port = await startKamailio()
    const server = { host: '127.0.0.1', port, transport }
    const domain = `127.0.0.1:${port}`
    const line = await openTestLine({ server, domain, isRegistered: true, password: 'wrong' })
    await expect.poll(() => line.states.at(-1)).toMatchObject({ kind: 'failed', status: 401 })
  })

  test('receives a call by the proxy, which ends from both sides', async () => {
    const { port, line } = await register()
    const baresip = await startPeer(port)
    for (const [round, ends] of [
      () => baresip.command('hangup'),
      () => line.calls[1]?.leg?.hangUp(),
    ].entries()) {
      baresip.command('dial', `sip:parley@127.0.0.1:${port}`)
      const call = await line.nextCall()
      await call.hears(2)
      expect(call.leg?.from).toContain('sip:peer@127.0.0.1')
      expect(findAudio(speech, decodeMuLaw(call.received), 4000, 8000).correlation).toBeGreaterThan(0.99)
      ends()
      expect((await call.untilEnded())?.kind).toBe(round === 0 ? 'hung_up_by_peer' : 'hung_up')
      await expect.poll(() => baresip.events.filter((type) => type === 'CALL_CLOSED').length).toBe(round + 1)
    }
  })

  test('makes a call by the proxy, with its password', async () => {
    const { port, line } = await register()
    const baresip = await startPeer(port)
    const call = line.dial('peer')
    await call.until('answered')
    await call.hears(2)
    expect(findAudio(speech, decodeMuLaw(call.received), 4000, 8000).correlation).toBeGreaterThan(0.99)
    call.leg?.hangUp()
    await baresip.until('CALL_CLOSED')
  })

  test('reports unknown numbers, and cannot be reached after it is closed', async () => {
    const { port, server, line } = await register()
    expect(await line.dial('stranger').untilEnded()).toEqual({ kind: 'rejected', status: 404 })
    await line.line.close()
    expect(line.states.at(-1)).toEqual({ kind: 'off' })
    const other = await openTestLine({ server, domain: `127.0.0.1:${port}`, username: 'other' })
    expect(await other.dial('parley').untilEnded()).toEqual({ kind: 'rejected', status: 404 })
  })
})
