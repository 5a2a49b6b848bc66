import { expect, test } from 'vitest'
import { isPublicAddress } from '#server/adapters/outbound/address-rules.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import { makePhoneLines } from '#server/adapters/telephone/phone-lines.js'
import { SipHost } from '#server/adapters/telephone/sip-host.js'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { makePhoneConnection } from '../../support/stores/phone-records.js'

test('a SIP host with public and private addresses gets no line [SIP-15]', async () => {
  const addresses: Readonly<Record<string, string>> = {
    'sip.example.com': '198.41.0.4',
    'fritz.box': '192.168.178.1',
  }
  const outbound = makeOutbound({
    allowedPrivateHosts: ['fritz.box'],
    resolver: async (name) => [{ address: addresses[name] ?? '', family: 4 }],
  })
  const lines = makePhoneLines({
    ...{ outbound, timers: systemTimers, isPublicAddress, openPassword: () => 'secret' },
    log: { debug: log, info: log, warn: log, error: log },
    audioPorts: { first: 40_000, last: 40_100 },
    resolveServices: async () =>
      Object.keys(addresses).map((name) => ({ name, port: 5060, priority: 1, weight: 1 })),
  })
  closeAfterwards(async () => {
    await lines.close()
    await outbound.close()
  })
  const connection = makePhoneConnection('organization')
  if (connection.sip === null) throw new Error('The account is missing.')
  const sip = { ...connection.sip, host: 'example.com', port: null, localPort: null }
  const listener = { registration: () => undefined, called: () => expect.fail(), lost: () => undefined }
  expect(await lines.open({ ...connection, sip }, listener)).toEqual({
    ok: false,
    detail: 'The host example.com has public and private addresses. All must be of one kind.',
  })
})

test('a host that is refused later keeps its addresses, and each refusal is logged once [SIP-4]', async () => {
  const logged: unknown[] = []
  let answer: () => Promise<{ address: string; family: 4 | 6 }[]> = async () => [
    { address: '198.41.0.4', family: 4 },
  ]
  const outbound = makeOutbound({ allowedPrivateHosts: [], resolver: () => answer() })
  closeAfterwards(() => outbound.close())
  const write = (fields: object) => void logged.push(fields)
  const dependencies = {
    ...{ outbound, timers: systemTimers, isPublicAddress, resolveServices: async () => [] },
    log: { debug: log, info: log, warn: write, error: write },
  }
  const { sip } = makePhoneConnection('organization')
  if (sip === null) throw new Error('The account is missing.')
  const host = new SipHost(dependencies, { id: 'line', sip: { ...sip, host: 'sip.example.com', port: 5070 } })
  const found = [{ address: '198.41.0.4', port: 5070 }]
  expect(await host.locate()).toEqual({ ok: true, addresses: found, isPublic: true })
  expect(await host.locateAgain()).toEqual(found)
  expect(logged).toEqual([])
  answer = async () => [{ address: '10.0.0.7', family: 4 }]
  for (let round = 0; round < 3; round += 1) expect(await host.locateAgain()).toEqual([])
  expect(logged).toEqual([{ id: 'line', detail: expect.stringContaining('PARLEY_ALLOWED_PRIVATE_HOSTS') }])
  answer = async () => [{ address: '198.41.0.4', family: 4 }]
  expect(await host.locateAgain()).toEqual(found)
})

test('a programming error while a host is located again is logged', async () => {
  const logged: unknown[] = []
  const failure = new TypeError('broken')
  const outbound = makeOutbound({ allowedPrivateHosts: [] })
  closeAfterwards(() => outbound.close())
  const broken = { ...outbound, isFailure: outbound.isFailure, resolve: () => Promise.reject(failure) }
  const write = (fields: object) => void logged.push(fields)
  const dependencies = {
    ...{ outbound: broken, timers: systemTimers, isPublicAddress, resolveServices: async () => [] },
    log: { debug: log, info: log, warn: write, error: write },
  }
  const { sip } = makePhoneConnection('organization')
  if (sip === null) throw new Error('The account is missing.')
  const host = new SipHost(dependencies, { id: 'line', sip: { ...sip, host: 'sip.example.com' } })
  expect(await host.locateAgain()).toEqual([])
  expect(logged).toEqual([{ err: failure, id: 'line' }])
})

const log = () => undefined
