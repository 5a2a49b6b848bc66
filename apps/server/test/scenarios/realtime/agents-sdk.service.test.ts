import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime'
import type { Agent, RealtimeSessionTicket } from '@parley/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { startService } from '../../support/start-service.js'

/** The name of a reported error, as docs/guide/other-clients.md lists it. */
const Reported = z.union([
  z
    .object({ error: z.object({ name: z.literal('ModelBehaviorError') }) })
    .transform(({ error }) => error.name),
  z
    .object({ error: z.object({ error: z.object({ code: z.string() }) }) })
    .transform(({ error }) => error.error.code),
])

const weather = {
  name: 'get_weather',
  description: 'Get the current weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: true,
  },
} as const

test('@openai/agents-realtime runs its own tools and leaves the other calls to Parley [DOC-10]', {
  timeout: 60_000,
}, async () => {
  const { client, url } = await startService()
  const { body: made } = await client.call<Agent>('POST', '/api/v1/Agent', {
    body: { name: 'Front desk', tools: [{ kind: 'builtin', name: 'current_time', builtin: 'current_time' }] },
  })
  const path = `/api/v1/Agent/${made.id}/realtime-session`
  const { body: ticket } = await client.call<RealtimeSessionTicket>('POST', path, {
    body: { clientTools: [weather] },
  })

  const execute = () => 'It is cloudy, with 18 degrees.'
  const agent = new RealtimeAgent({
    name: 'Front desk',
    tools: [
      tool({ ...weather, parameters: { ...weather.parameters, required: ['city'] }, strict: false, execute }),
    ],
  })
  const transport = new OpenAIRealtimeWebSocket({
    url: `${url.replace('http', 'ws')}${ticket.webSocketPath}`,
    useInsecureApiKey: true,
  })
  const session = new RealtimeSession(agent, { transport })
  closeAfterwards(() => session.close())
  const [errors, types, said]: [unknown[], string[], string[]] = [[], [], []]
  session.on('error', (error) => errors.push(error))
  session.on('transport_event', ({ type }) => types.push(type))
  session.on('agent_end', (_context, _agent, output) => said.push(output))
  const answered = (words: RegExp) => expect.poll(() => said.at(-1) ?? '', { timeout: 60_000 }).toMatch(words)

  await session.connect({ apiKey: 'unused' })
  session.sendMessage('What time is it?')
  await answered(/It is \w+day/)
  session.sendMessage('What is the weather in London?')
  await answered(/cloudy/)

  expect(types).toContain('response.function_invocation.done')
  expect(new Set(errors.map((error) => Reported.parse(error)))).toEqual(
    new Set(['session_update_not_allowed', 'ModelBehaviorError', 'backend_tool_output_not_allowed']),
  )
})
