import { beforeEach, describe, expect, test } from 'vitest'
import type { NetworkAddress } from '#telephone/network-address.js'
import { Credentials } from '#telephone/sip/digest.js'
import {
  type Header,
  headerOf,
  headersOf,
  makeResponse,
  type SipMessage,
  type SipRequest,
} from '#telephone/sip/message.js'
import { parseMessage } from '#telephone/sip/parse-message.js'
import { Registration, type RegistrationState } from '#telephone/sip/registration.js'
import { Transactions } from '#telephone/sip/transactions.js'
import type { Transport } from '#telephone/sip/transport.js'
import { writeMessage } from '#telephone/sip/write-message.js'
import { MemoryNetwork } from '../support/memory-network.js'
import { TestTimers } from '../support/test-timers.js'

const registrar = '192.0.2.5'

let timers: TestTimers
let network: MemoryNetwork
let states: RegistrationState[]
let requests: SipRequest[]
let contact: string
let registration: Registration
/** The port that the registrar sees, if it is not our own. It changes with each request. */
let seenPort: number | null
let located: Promise<NetworkAddress>
/** The registrar's answer to the request with this number, or null for none. */
let answer: (request: SipRequest, count: number) => { status: number; headers?: readonly Header[] } | null

beforeEach(() => {
  timers = new TestTimers()
  network = new MemoryNetwork(timers)
  states = []
  requests = []
  contact = '<sip:ann@192.0.2.1:5060>'
  answer = (request) => ({ status: 200, headers: [['contact', headerOf(request, 'contact')]] })
  seenPort = null
  located = Promise.resolve({ address: registrar, port: 5060 })
  const receiver: Transport = network.connect(registrar, (bytes, source) => {
    const message = messageIn(bytes)
    if (message.kind !== 'request') return
    requests.push(message)
    const reply = answer(message, requests.length)
    if (reply === null) return
    const response = makeResponse(withSeenPort(message), reply.status, { headers: reply.headers ?? [] })
    receiver.send(writeMessage(response), source)
  })
  const transport = network.connect('192.0.2.1', (bytes, source) =>
    transactions.receive(messageIn(bytes), source),
  )
  const transactions = new Transactions({
    timers,
    transport,
    maxTransactions: 20,
    listener: { requested: () => {}, cancelled: () => {}, acknowledged: () => {} },
  })
  registration = new Registration({
    timers,
    transactions,
    credentials: new Credentials({ username: 'ann', password: 'secret' }),
    address: 'sip:ann@example.com',
    registrarUri: 'sip:example.com',
    expiresSeconds: 300,
    locate: () => located,
    contact: () => contact,
    seenAt: ({ address, port }) => {
      const seen = `<sip:ann@${address}:${port}>`
      const hasChanged = seen !== contact
      contact = seen
      return hasChanged
    },
    changed: (state) => states.push(state),
  })
})

function withSeenPort(request: SipRequest): SipRequest {
  if (seenPort === null) return request
  seenPort += 1
  const headers = request.headers.map(
    ([name, value]): Header => [name, name === 'via' ? value.replace(';rport', `;rport=${seenPort}`) : value],
  )
  return { ...request, headers }
}

function messageIn(bytes: Buffer): SipMessage {
  const parsed = parseMessage(bytes)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.message
}

const challenge: Header = [
  'www-authenticate',
  'Digest realm="example.com", nonce="n1", qop="auth", algorithm=MD5',
]

describe('a registration', () => {
  test('is removed at the same address, without locating the registrar again [SIP-16]', async () => {
    registration.start()
    await timers.pass(100)
    located = new Promise(() => undefined)
    const closed = registration.close()
    await timers.pass(100)
    await closed
    expect(requests.map((request) => headerOf(request, 'expires'))).toEqual(['300', '0'])
  })

  test('is refreshed before the granted time is over, not the wished one', async () => {
    answer = () => ({
      status: 200,
      headers: [
        ['contact', '<sip:ann@192.0.2.77>;expires=7000, <sip:ann@192.0.2.1:5060>;expires=60'],
        ['expires', '300'],
      ],
    })
    registration.start()
    await timers.pass(100)
    expect(states.at(-1)).toEqual({ kind: 'registered', seconds: 60 })
    await timers.pass(29_000)
    expect(requests).toHaveLength(1)
    await timers.pass(1100)
    expect(requests).toHaveLength(2)
  })

  test('is repeated at once if the registrar sees another address, at most every 30 seconds [SIP-21]', async () => {
    registration.moved()
    registration.start()
    await timers.pass(100)
    expect(requests).toHaveLength(1)
    for (let round = 0; round < 5; round += 1) {
      registration.moved()
      await timers.pass(1000)
    }
    expect(requests).toHaveLength(2)
    await timers.pass(30_000)
    registration.moved()
    await timers.pass(100)
    expect(requests).toHaveLength(3)
  })

  test('answers a challenge, and later requests without one', async () => {
    answer = (request) =>
      headerOf(request, 'authorization') === ''
        ? { status: 401, headers: [challenge] }
        : { status: 200, headers: [['expires', '60']] }
    registration.start()
    await timers.pass(100)
    expect(states.at(-1)?.kind).toBe('registered')
    expect(requests.map((request) => headerOf(request, 'cseq'))).toEqual(['1 REGISTER', '2 REGISTER'])
    await timers.pass(30_000)
    expect(requests).toHaveLength(3)
    expect(headerOf(requests[2] as SipRequest, 'authorization')).toContain('nc=00000002')
  })

  test('answers a stale nonce with the new one', async () => {
    answer = (request, count) => {
      const nonce = count < 4 ? 'n1' : 'n2'
      if (count === 4 || headerOf(request, 'authorization') === '')
        return { status: 401, headers: [[challenge[0], `${challenge[1].replace('n1', nonce)}, stale=true`]] }
      return { status: 200, headers: [['expires', '60']] }
    }
    registration.start()
    await timers.pass(100_000)
    expect(states.every(({ kind }) => kind !== 'failed')).toBe(true)
    expect(headerOf(requests[4] as SipRequest, 'authorization')).toContain('nonce="n2"')
  })

  test('with a wrong password fails at once, and waits long', async () => {
    answer = () => ({ status: 401, headers: [challenge] })
    registration.start()
    await timers.pass(500_000)
    expect(states.at(-1)).toMatchObject({ kind: 'failed', status: 401 })
    expect(requests).toHaveLength(2)
    await timers.pass(200_000)
    expect(requests.length).toBeGreaterThan(2)
  })

  test('asks for a longer time after 423', async () => {
    answer = (request) =>
      Number(headerOf(request, 'expires')) < 900
        ? { status: 423, headers: [['min-expires', '900']] }
        : { status: 200, headers: [['expires', '900']] }
    registration.start()
    await timers.pass(100)
    expect(states.at(-1)).toEqual({ kind: 'registered', seconds: 900 })
  })

  test('fails if the registrar demands more than a day', async () => {
    answer = () => ({ status: 423, headers: [['min-expires', '999999']] })
    registration.start()
    await timers.pass(1000)
    expect(requests.map((request) => headerOf(request, 'expires'))).toEqual(['300', '86400'])
    expect(states.at(-1)).toMatchObject({ kind: 'failed', status: 423 })
  })

  test('is renewed after a day at the latest', async () => {
    answer = () => ({ status: 200, headers: [['expires', '999999999']] })
    registration.start()
    await timers.pass(100)
    expect(states.at(-1)).toEqual({ kind: 'registered', seconds: 86_400 })
  })

  test('names the address that the registrar saw, and removes the old one', async () => {
    seenPort = 40_000
    registration.start()
    await timers.pass(100)
    expect(requests).toHaveLength(2)
    expect(headersOf(requests[1] as SipRequest, 'contact')).toEqual([
      '<sip:ann@192.0.2.1:40001>;expires=300',
      '<sip:ann@192.0.2.1:5060>;expires=0',
    ])
  })

  test('that gets no answer tries again after growing waits', async () => {
    answer = () => null
    registration.start()
    await timers.pass(33_000)
    expect(states.at(-1)).toMatchObject({ kind: 'failed', status: null })
    answer = () => ({ status: 200, headers: [['expires', '60']] })
    await timers.pass(10_000)
    expect(states.at(-1)?.kind).toBe('registered')
  })

  test('is removed on close', async () => {
    registration.start()
    await timers.pass(100)
    const closing = registration.close()
    await timers.pass(100)
    await closing
    expect(headerOf(requests.at(-1) as SipRequest, 'expires')).toBe('0')
    expect(states.at(-1)).toEqual({ kind: 'off' })
    const count = requests.length
    await timers.pass(1_000_000)
    expect(requests).toHaveLength(count)
  })

  test('closes although the registrar does not answer', async () => {
    registration.start()
    await timers.pass(100)
    answer = () => null
    let isClosed = false
    void registration.close().then(() => {
      isClosed = true
    })
    await timers.pass(2100)
    expect(isClosed).toBe(true)
  })

  test('is renewed after the connection is lost', async () => {
    registration.start()
    await timers.pass(100)
    registration.disconnected()
    expect(states.at(-1)).toEqual({ kind: 'registering' })
    await timers.pass(1100)
    expect(requests).toHaveLength(2)
    expect(states.at(-1)?.kind).toBe('registered')
  })
})
