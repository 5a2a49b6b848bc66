import type { PhoneCall, PhoneConnection, PhoneNumber } from '@parley/contract'
import type { Leg } from '@parley/telephone'
import { expect, vi } from 'vitest'
import {
  type NotedLeg,
  openTestLine,
  type TestLine,
} from '../../../../../packages/telephone/test/support/programs/test-line.js'
import { type RealtimeTestService, startRealtimeService } from '../realtime/realtime-service.js'
import type { ProviderSession } from '../realtime/scripted-provider.js'
import { findFreePort } from '../services/free-port.js'
import type { TestServiceOptions } from '../start-service.js'

export const ownNumber = '+4930123456'
export const callerNumber = '+4930765432'

export interface SipService extends RealtimeTestService {
  readonly connection: PhoneConnection
  readonly number: PhoneNumber
  /** The exchange at the other end of the line, without a registration. */
  readonly peer: TestLine
  /** The SIP port of the service. */
  readonly port: number
  /** Calls a number of the service. */
  callIn(number?: string, from?: string): NotedLeg
  /** An answered incoming call, whose ends the test controls. */
  incoming(): Promise<{ readonly call: NotedLeg; readonly model: ProviderSession; readonly row: PhoneCall }>
  /** Makes the service call a number. */
  callOut(to?: string): Promise<PhoneCall>
  /** Waits until the newest call has these fields. */
  newest(fields: object): Promise<PhoneCall>
  patchConnection(body: object): Promise<PhoneConnection>
}

/** The real service with a SIP line, whose peer is another endpoint in a thread of its own. */
export async function startSipService(
  options: TestServiceOptions & { readonly onCall?: (leg: Leg, noted: NotedLeg) => void } = {},
): Promise<SipService> {
  const [port, peerPort] = [await findFreePort(), await findFreePort()]
  const server = { host: '127.0.0.1', port, transport: 'udp' } as const
  const peer = await openTestLine({ server, port: peerPort, username: 'exchange' }, options.onCall)
  const running = await startRealtimeService(options)
  const { client, agentId, provider } = running
  const connection = await createIn<PhoneConnection>(running, 'PhoneConnection', {
    ...{ name: 'Exchange', kind: 'sip', accountId: 'parley', secret: 'secret', allowedPrefixes: ['+49'] },
    sip: { host: '127.0.0.1', port: peerPort, registers: false, localPort: port },
  })
  const number = await createIn<PhoneNumber>(running, 'PhoneNumber', {
    ...{ name: 'Desk', number: ownNumber, phoneConnectionId: connection.id, agentId, greeting: 'Good day.' },
    transferTargets: [{ name: 'Porter', number: '+4930111111' }],
  })
  const path = `/api/v1/PhoneConnection/${connection.id}`
  await vi.waitFor(
    async () => expect((await client.call<PhoneConnection>('GET', path)).body.state).toBe('ready'),
    { timeout: 30_000, interval: 50 },
  )
  const newest: SipService['newest'] = async (wanted) => {
    const read = async () =>
      (await client.call<{ items: PhoneCall[] }>('GET', '/api/v1/PhoneCall?Limit=1')).body.items[0]
    await expect.poll(read, { interval: 25 }).toMatchObject(wanted)
    return (await read()) as PhoneCall
  }
  const callIn: SipService['callIn'] = (called = ownNumber, from = callerNumber) => {
    const noted = peer.dial(`sip:${called}@127.0.0.1:${port}`, from)
    return noted
  }
  return {
    ...running,
    ...{ connection, number, peer, port, newest, callIn },
    async incoming() {
      const call = callIn()
      const model = await provider.accept()
      await model.inbox.takeType('session.update')
      model.send({ type: 'session.updated', session: {} })
      await call.until('answered')
      return { call, model, row: await newest({ state: 'active', direction: 'incoming' }) }
    },
    async callOut(to = '+4930654321') {
      const body = { to, from: ownNumber }
      const answer = await client.call<PhoneCall>('POST', `/api/v1/Agent/${agentId}/call`, { body })
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.body
    },
    async patchConnection(body) {
      const answer = await client.call<PhoneConnection>('PATCH', path, { body })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body
    },
  }
}

/** Creates a resource, and expects that it is created. */
export async function createIn<Made>(
  { client }: Pick<RealtimeTestService, 'client'>,
  path: string,
  body: object,
): Promise<Made> {
  const answer = await client.call<Made>('POST', `/api/v1/${path}`, { body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}
