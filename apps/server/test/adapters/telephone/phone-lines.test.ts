import { expect, test } from 'vitest'
import { isPublicAddress } from '#server/adapters/outbound/address-rules.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import { makePhoneLines } from '#server/adapters/telephone/phone-lines.js'
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

const log = () => undefined
