import { openEmbeddedDatabase } from '@parley/embedded-database'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  newMigratedDirectory,
  newPostgres,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { joinModels, type ModelAddress } from '../../support/questions/model-address.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { type ScriptedProvider, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { playCalls } from '../../support/realtime/tool-calls.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'

const env = {
  ...bootstrap,
  PARLEY_SECRET: 'a secret for tests that is long enough',
  PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  LOG_LEVEL: 'warn',
}

/** Makes the database slow for tool messages, so that a call that does not wait for its row is noticed. */
const slowRows = `
  create function slow_row() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return new; end $$;
  create trigger slow_row before insert on message for each row when (new.role = 'tool')
    execute function slow_row()`

const storedCalls = `select call_id, status from message where role = 'tool'`

let model: ScriptedChatServer
let voice: ScriptedProvider
let tools: ScriptedHttpServer
let address: ModelAddress

beforeAll(async () => {
  model = await startScriptedChatServer()
  voice = await startScriptedProvider()
  tools = await startScriptedHttpServer()
  address = await joinModels(model, voice)
})

afterEach(() => tools.verify())

afterAll(async () => {
  await cleanUp()
  for (const server of [model, voice, tools, address]) await server.close()
})

interface Running {
  readonly url: string
  readonly client: ReturnType<typeof makeApiClient>
  readonly agentId: string
}

const channels = {
  async realtime({ url, client, agentId }: Running) {
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const ticket = await client.call<{ webSocketPath: string }>('POST', path, { body: {} })
    await openSocket(url, ticket.body.webSocketPath)
    const provider = await voice.accept()
    await provider.inbox.takeType('session.update')
    playCalls(provider, 'resp_1', [{ callId: 'call_1', name: 'charge' }])
  },
  async text({ client, agentId }: Running) {
    model.answer({ text: 'At once.', calls: [{ id: 'call_1', name: 'charge' }] })
    const path = `/api/v1/Agent/${agentId}/question`
    // The response never arrives.
    client.call('POST', path, { body: { question: 'Charge me.' } }).catch(() => undefined)
  },
}

describe('a service that is killed by its own tool request', slow, () => {
  test.each([
    ['realtime', 'postgres'],
    ['text', 'postgres'],
    ['text', 'embedded'],
  ] as const)('has stored the call (%s, %s) [TOOL-16]', async (channel, kind) => {
    const directory = kind === 'embedded' ? await newMigratedDirectory() : await newDirectory()
    const settings = { ...env, ...(kind === 'postgres' && (await newPostgres())) }
    const parley = await startParley({ directory, env: settings })
    const url = await parley.ready()
    if ('DATABASE_URL' in settings)
      await withPostgresClient(settings.DATABASE_URL, (postgres) => postgres.query(slowRows))
    const client = makeApiClient(url, credentials)
    const charge = {
      ...{ kind: 'http', name: 'charge', description: 'Takes money.' },
      request: { method: 'POST', url: `${tools.url}/charge` },
    }
    const agentId = await makeTextAgent({ client }, address, { name: 'Cashier', tools: [charge] })
    const arrived = tools.expect('POST /charge', () => parley.signal('SIGKILL'))
    await channels[channel]({ url, client, agentId })
    await arrived
    await parley.ended
    const calls =
      'DATABASE_URL' in settings
        ? await withPostgresClient(settings.DATABASE_URL, (postgres) => postgres.query(storedCalls))
        : await queryEmbedded(`${directory}/data`)
    expect(calls.rows).toEqual([{ call_id: 'call_1', status: 0 }])
  })
})

async function queryEmbedded(dataDir: string) {
  const { pool, close } = await openEmbeddedDatabase({
    dataDir,
    onCrash: (error) => {
      throw error
    },
  })
  const calls = await pool.query(storedCalls)
  await close()
  return calls
}
