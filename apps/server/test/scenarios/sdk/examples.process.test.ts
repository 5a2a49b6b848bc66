import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { useSdkService } from '../../support/sdk/sdk-service.js'

const service = useSdkService()
const program = fileURLToPath(new URL('../../../../../examples/node-backend/server.mjs', import.meta.url))

interface MintedSession {
  readonly webSocketPath: string
  readonly conversationId: string
}

async function startBackend(agentId: string) {
  const { url, organizationId, apiKey } = service.running
  const child = spawn(process.execPath, [program], {
    env: {
      PARLEY_URL: url,
      PARLEY_ORG_ID: organizationId,
      PARLEY_API_KEY: apiKey,
      PARLEY_AGENT_ID: agentId,
      PORT: '0',
    },
  })
  const close = closeAfterwards(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const mint = async (body: object) => {
    const answer = await fetch(`${line.trim()}/session`, { method: 'POST', body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as MintedSession }
  }
  return { mint, close, stderr: child.stderr.setEncoding('utf8') }
}

test('the example backend creates sessions and continues only conversations of its visitor [SDK-12]', async () => {
  const { parley } = service
  const connection = await parley.connections.create({ name: 'Voice', kind: 'openai' })
  const agent = await parley.agents.create({ name: 'Front desk', connectionId: connection.id })
  const backend = await startBackend(agent.id)
  const minted = await backend.mint({})
  expect(minted.status).toBe(201)
  const { webSocketPath, conversationId } = minted.body
  // The path leads to the service and its token is valid.
  expect((await fetch(webSocketPath)).status).toBe(426)
  const again = await backend.mint({ conversationId })
  expect([again.status, again.body.conversationId]).toEqual([201, conversationId])
  expect((await backend.mint({ conversationId: uuid() })).status).toBe(403)
  await parley.agents.delete(agent.id)
  const logged = once(backend.stderr, 'data')
  expect((await backend.mint({})).status).toBe(502)
  expect(String(await logged)).toMatch(/^NotFound .* \S+\n$/)
  await backend.close()
})

test('the example backend has fewer than 70 lines [SDK-12]', () => {
  expect(readFileSync(program, 'utf8').split('\n').length).toBeLessThan(70)
})

test('the example of an end user asks, exports and erases [SDK-12]', async () => {
  const { url, organizationId, apiKey } = service.running
  const customer = fileURLToPath(new URL('../../../../../examples/end-users/customer.mjs', import.meta.url))
  const env = { PARLEY_URL: url, PARLEY_ORG_ID: organizationId, PARLEY_API_KEY: apiKey }
  const { stdout } = await promisify(execFile)(process.execPath, [customer], { env, timeout: 60_000 })
  expect(stdout).toMatch(
    /^lena: What is my plan\?\nagent: The plan is Gold\.\nconversations: 1\nexport: end_user, .*message.*\nerased\n$/,
  )
})
