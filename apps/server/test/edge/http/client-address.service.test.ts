import { isIP } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { type RunningService, startService } from '../../support/start-service.js'

/** X-Forwarded-For from a caller on 127.0.0.1, and the address that the service records. */
type Row = readonly [forwarded: string, address: string]

const ownWord: Row = ['198.51.100.1', '127.0.0.1']
const junk = ['unknown', '_hidden', '203.0.113.999', '203.0.113', '0x7f000001', 'for=203.0.113.5', '<script>']

/** If an entry is not an address, the entries before it are not trusted either. */
const junkRows = (nearest: string): Row[] =>
  junk.flatMap((text): Row[] => [
    [text, '127.0.0.1'],
    [`203.0.113.9, ${text}`, '127.0.0.1'],
    [`${text}, ${nearest}`, nearest],
  ])

const spellings: readonly Row[] = [
  ['203.0.113.5:4711', '203.0.113.5'],
  ['2001:DB8::0:5', '2001:db8::5'],
  ['[2001:db8::5]:443', '2001:db8::5'],
  ['[2001:db8::5]', '2001:db8::5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['fe80::1%eth0', 'fe80::1'],
]

const settings: readonly { readonly setting: string; readonly rows: readonly Row[] }[] = [
  { setting: 'false', rows: [ownWord, ['203.0.113.9, 198.51.100.1', '127.0.0.1'], ['unknown', '127.0.0.1']] },
  {
    setting: 'true',
    rows: [
      ['198.51.100.1', '198.51.100.1'],
      ['203.0.113.9, 198.51.100.1', '198.51.100.1'],
      ['1.1.1.1,2.2.2.2 , 198.51.100.1 ', '198.51.100.1'],
      ['', '127.0.0.1'],
      ...spellings,
      ...junkRows('198.51.100.1'),
    ],
  },
  {
    setting: '2',
    rows: [
      ['198.51.100.1', '198.51.100.1'],
      ['203.0.113.9, 198.51.100.1', '203.0.113.9'],
      ['1.1.1.1, 203.0.113.9, 198.51.100.1', '203.0.113.9'],
      ['unknown, 198.51.100.1', '198.51.100.1'],
    ],
  },
  {
    setting: 'loopback',
    rows: [
      ['198.51.100.1', '198.51.100.1'],
      ['203.0.113.9, 198.51.100.1', '198.51.100.1'],
      ['203.0.113.9, 127.0.0.5, ::1', '203.0.113.9'],
    ],
  },
  {
    setting: 'loopback, 10.0.0.0/8, fd00::/8',
    rows: [
      ['203.0.113.9, 10.1.2.3', '203.0.113.9'],
      ['203.0.113.9, 10.1.2.3, fd12::7', '203.0.113.9'],
      ['203.0.113.9, 10.1.2.3:8080, [fd12::7]:1', '203.0.113.9'],
      ['203.0.113.9, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
      ['203.0.113.9, unknown, 10.1.2.3', '10.1.2.3'],
      ['10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ],
  },
  { setting: '192.0.2.0/24', rows: [ownWord] },
]

describe.each(settings)('PARLEY_TRUST_PROXY=$setting [API-21]', ({ setting, rows }) => {
  let running: RunningService

  beforeAll(async () => {
    running = await startService({ env: { PARLEY_TRUST_PROXY: setting } })
  })

  afterAll(() => running.close())

  test.each(rows)('the service takes "%s" as %s', async (forwarded, address) => {
    const requestId = `from-${Math.random().toString(36).slice(2)}`
    const headers = { 'x-forwarded-for': forwarded, 'x-request-id': requestId }
    await running.client.call('POST', '/api/v1/Task', { body: { title: 'Look' }, headers })
    const record = (await readRecords(running.client)).find((one) => one.requestId === requestId)
    expect(record?.ipAddress).toBe(address)

    await running.client.as({ apiKey: 'guess' }).call('GET', '/api/v1/Task', { headers })
    const line = running.log.find((text) => text.includes(requestId) && text.includes('key refused')) ?? '{}'
    const { ip } = JSON.parse(line) as { ip: string }
    expect(ip).toBe(address)
    expect(isIP(ip)).not.toBe(0)
  })
})
