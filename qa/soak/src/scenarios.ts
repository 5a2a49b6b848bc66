import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClosedReason, closeCodes, type Page, type RealtimeSession } from '@parley/contract'
import type { Api } from '@parley/stage/service/api'
import { SoakClient } from './soak-client.js'
import type { Behavior } from './soak-provider.js'

export interface Stage {
  readonly api: Api
  readonly url: string
  readonly conversationId: string
}

/** One kind of session and the way in which it ends. */
export interface Scenario {
  readonly name: string
  readonly provider: Behavior
  /** The end reason that the service must count, or null if the session may never start. */
  readonly reason: ClosedReason | 'client_lost' | null
  /** Plays the session. Throws if it ends differently. */
  play(stage: Stage): Promise<void>
}

const turns = 3
const tooManyBytes = 70_000

export const scenarios: readonly Scenario[] = [
  {
    name: 'talks for a few turns and leaves',
    provider: 'speaks',
    reason: 'client_left',
    async play({ url }) {
      const client = await SoakClient.open(url)
      for (let turn = 0; turn < turns; turn += 1) {
        client.speak()
        await client.hear('response.completed')
      }
      await expectCode(1000, client.leave())
    },
  },
  {
    name: 'client leaves before the provider accepts',
    provider: 'hesitates',
    reason: 'client_left',
    play: async ({ url }) => expectCode(1000, (await SoakClient.open(url)).leave()),
  },
  {
    name: 'client vanishes in the handshake',
    provider: 'speaks',
    reason: null,
    play: ({ url }) => vanish(new URL(url)),
  },
  {
    name: 'provider refuses',
    provider: 'refuses',
    reason: 'provider_unavailable',
    play: async ({ url }) => expectClose('provider_unavailable', await SoakClient.open(url)),
  },
  {
    name: 'provider hangs, client leaves',
    provider: 'hangs',
    reason: 'client_left',
    async play({ url }) {
      const client = await SoakClient.open(url)
      client.speak()
      await sleep(100)
      await expectCode(1000, client.leave())
    },
  },
  {
    name: 'provider dies in the middle of an answer',
    provider: 'dies',
    reason: 'provider_closed',
    async play({ url }) {
      const client = await SoakClient.open(url)
      client.speak()
      await expectClose('provider_closed', client)
    },
  },
  {
    name: 'client dies in the middle of an answer',
    provider: 'speaks',
    reason: 'client_lost',
    async play({ url }) {
      const client = await SoakClient.open(url)
      client.speak()
      await client.hear('response.output_audio.delta')
      client.socket.terminate()
      await client.closed()
    },
  },
  {
    name: 'client is silent',
    provider: 'speaks',
    reason: 'idle_timeout',
    play: async ({ url }) => expectClose('idle_timeout', await SoakClient.open(url)),
  },
  {
    name: 'client sends a message that is too large',
    provider: 'speaks',
    reason: 'message_too_big',
    async play({ url }) {
      const client = await SoakClient.open(url)
      client.speak()
      client.socket.send('x'.repeat(tooManyBytes))
      await expectClose('message_too_big', client)
    },
  },
  {
    name: 'an operator ends the session',
    provider: 'speaks',
    reason: 'terminated',
    async play({ api, url, conversationId }) {
      const client = await SoakClient.open(url)
      const stopTalking = client.keepTalking()
      const path = '/api/v1/RealtimeSession'
      const { items } = await api.call<Page<RealtimeSession>>(
        'GET',
        `${path}?ConversationId=${conversationId}`,
      )
      await api.call('DELETE', `${path}/${items[0]?.id}`)
      await expectClose('terminated', client).finally(stopTalking)
    },
  },
]

const expectClose = (reason: ClosedReason, client: SoakClient) =>
  expectCode(closeCodes[reason], client.closed())

async function expectCode(expected: number, closed: Promise<number>): Promise<void> {
  const code = await closed
  if (code !== expected) throw new Error(`closed with ${code} instead of ${expected}`)
}

/** Sends the upgrade request and closes the connection before the answer. */
function vanish({ hostname, port, pathname, search }: URL): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      const head = [
        `GET ${pathname}${search} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`, () => socket.destroy())
    })
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
  })
}
