import { expect, test } from 'vitest'
import type { LineOptions } from '#telephone/line-options.js'
import { PacingClock } from '#telephone/media/pacing-clock.js'
import { openSipLine } from '#telephone/sip-line.js'
import { systemTimers } from '#telephone/time.js'
import { closeAfterwards } from '../../../apps/server/test/support/close-afterwards.js'
import { NotedLeg } from './support/programs/test-line.js'
import { headerIn, ScriptedServer } from './support/scripted-server.js'

async function openLine(options: Partial<LineOptions>) {
  const server = await ScriptedServer.start()
  const line = await openSipLine(
    {
      server: { host: '127.0.0.1', transport: 'udp' },
      ...{ domain: 'example.com', username: '620', password: 'secret', isRegistered: false },
      bindAddress: '127.0.0.1',
      ...options,
    },
    {
      timers: systemTimers,
      clock: new PacingClock(systemTimers),
      listener: {
        locate: async () => [{ address: '127.0.0.1', port: server.port }],
        registration: () => {},
        called: () => new NotedLeg(),
      },
    },
  )
  closeAfterwards(() => line.close())
  const dial = async (to: string, from?: string) => {
    const noted = new NotedLeg()
    noted.leg = line.dial({ to, ...(from !== undefined && { from }) }, noted)
    await noted.until('answered')
    return noted
  }
  return { server, dial }
}

/** The parts of the last INVITE that name the caller and the called party. */
function namesIn(server: ScriptedServer) {
  const invite = server.requests('INVITE').at(-1)
  return {
    uri: invite?.split(' ', 2)[1],
    to: headerIn(invite, 'To'),
    from: headerIn(invite, 'From')?.replace(/;tag=.*/, ''),
    preferred: headerIn(invite, 'P-Preferred-Identity'),
    asserted: headerIn(invite, 'P-Asserted-Identity'),
  }
}

const noIdentity = { preferred: null, asserted: null }

test('an INVITE shows the number in From, in international format, by default [SIP-18] [SIP-19]', async () => {
  const { server, dial } = await openLine({})
  await dial('+4930654321', '+4930123')
  expect(namesIn(server)).toEqual({
    ...noIdentity,
    uri: 'sip:+4930654321@example.com',
    to: '<sip:+4930654321@example.com>',
    from: '<sip:+4930123@example.com>',
  })
})

test.each([
  ['p_preferred_identity', 'zeros', '00', 'preferred'],
  ['p_asserted_identity', 'digits', '', 'asserted'],
] as const)(
  'with `%s` and `%s`, From is the account, and the header has the number [SIP-18] [SIP-19]',
  async (callerId, numberFormat, prefix, header) => {
    const { server, dial } = await openLine({ callerId, numberFormat })
    await dial('+4930654321', '+4930123')
    expect(namesIn(server)).toEqual({
      ...noIdentity,
      uri: `sip:${prefix}4930654321@example.com`,
      to: `<sip:${prefix}4930654321@example.com>`,
      from: '<sip:620@example.com>',
      [header]: `<sip:${prefix}4930123@example.com>`,
    })
  },
)

test('an INVITE without a number to show has the account in From and no other identity [SIP-18]', async () => {
  const { server, dial } = await openLine({ callerId: 'p_asserted_identity', numberFormat: 'digits' })
  for (const from of [undefined, '']) {
    await dial('+4930654321', from)
    expect(namesIn(server)).toMatchObject({ ...noIdentity, from: '<sip:620@example.com>' })
  }
})

test('extensions and addresses are not rewritten [SIP-19]', async () => {
  const { server, dial } = await openLine({ numberFormat: 'zeros' })
  await dial('**621', 'reception')
  expect(namesIn(server)).toMatchObject({
    uri: 'sip:**621@example.com',
    from: '<sip:reception@example.com>',
  })
  await dial('sip:+4930654321@other.example', '+4930123')
  expect(namesIn(server)).toMatchObject({ uri: 'sip:+4930654321@other.example' })
})

test('the INVITE that answers a challenge shows the number too [SIP-18]', async () => {
  const { server, dial } = await openLine({ callerId: 'p_preferred_identity' })
  const challenge = 'Proxy-Authenticate: Digest realm="example.com", nonce="1", qop="auth"'
  server.answer = (request) =>
    /^INVITE /.test(request) && !/^Proxy-Authorization:/m.test(request)
      ? { status: '407 Proxy Authentication Required', headers: [challenge] }
      : { status: '200 OK' }
  await dial('+4930654321', '+4930123')
  expect(server.requests('INVITE')).toHaveLength(2)
  expect(namesIn(server).preferred).toBe('<sip:+4930123@example.com>')
})

test('a transfer has the number in the format of the line [SIP-19]', async () => {
  const { server, dial } = await openLine({ numberFormat: 'zeros' })
  const call = await dial('+4930654321', '+4930123')
  void call.leg?.transfer('+4930999')
  await expect.poll(() => server.requests('REFER')).toHaveLength(1)
  expect(headerIn(server.requests('REFER')[0], 'Refer-To')).toBe('<sip:004930999@example.com>')
})
