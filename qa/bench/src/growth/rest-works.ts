import type { Agent } from '@parley/contract'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { startGreeter } from '@parley/stage/service/greeter'
import { openSession } from '@parley/stage/service/open-session'
import { startParley } from '@parley/stage/service/parley-service'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { createTicket, makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import { type StartedWorks, worksOf } from './growing-work.js'
import { startTextWork } from './text-work.js'

const model = 'gpt-realtime'

/** The work of API calls on PostgreSQL. */
export async function startRestWorks(share: number): Promise<StartedWorks> {
  const postgres = await startPostgres()
  const provider = await startGreeter()
  const parley = await startParley({
    isBundled: true,
    env: {
      DATABASE_URL: postgres.url,
      PARLEY_SECRET: 'a secret for the bench that is long enough',
      LOG_LEVEL: 'warn',
      PARLEY_ORG_MAX_AGENTS: '100000',
      PARLEY_ORG_MAX_SESSIONS: '100000',
    },
  })
  const { api, pid, url } = parley
  const { [model]: agentId } = await makeSpeakingAgents(api, provider.url, [model])
  const make = (index: number) => api.call('POST', '/api/v1/Agent', { name: `Agent ${index}` })
  await inParallel(200, 4, make)
  const { id } = await api.call<Agent>('POST', '/api/v1/Agent', { name: 'Of many tools' })
  const { largerCall, longerWork } = worksOf(pid, share)
  const text = await startTextWork(parley, longerWork)
  const works = [
    largerCall('list of 25 agents', (factor) => api.call('GET', `/api/v1/Agent?Limit=${25 * factor}`)),
    longerWork('5 agents made', (factor) => inParallel(5 * factor, 1, make)),
    largerCall('agent with 12 tools saved', (factor) =>
      api.call('PATCH', `/api/v1/Agent/${id}`, { tools: toolsOf(12 * factor) }),
    ),
    largerCall('agent with 12 kB of instructions saved', (factor) =>
      api.call('PATCH', `/api/v1/Agent/${id}`, { systemMessage: 'Be kind. '.repeat(1300 * factor) }),
    ),
    largerCall('session created with 8 client tools', (factor) =>
      api.call('POST', `/api/v1/Agent/${agentId}/realtime-session`, { clientTools: toolsFor(8 * factor) }),
    ),
    longerWork('5 sessions created, opened and ended', (factor) =>
      inParallel(5 * factor, 1, async () => {
        const opened = await openSession(url, (await createTicket(api, agentId)).webSocketPath)
        if (!opened.ok) throw new Error(`A session did not open: ${opened.reason}`)
        opened.socket.close(1000)
      }),
    ),
    text.work,
  ]
  return {
    works,
    async stop() {
      await parley.stop()
      await text.stop()
      await postgres.stop()
      provider.close()
    },
  }
}

const toolsFor = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `tool_${index}`, description: 'Does something.' }))

const toolsOf = (count: number) =>
  toolsFor(count).map((tool) => ({ ...tool, kind: 'builtin', builtin: 'current_time' }))
