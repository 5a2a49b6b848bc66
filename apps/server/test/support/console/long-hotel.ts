import { ask } from '../questions/ask.js'
import type { QuestionService } from '../questions/question-service.js'
import { endedSession } from '../realtime/spoken-turns.js'
import type { Hotel } from './hotel.js'
import { fillDeskPhone } from './phone-desk.js'

/** A word without a place to break, and a name of 200 characters. */
const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const long = (what: string) =>
  `${what} of ${word} and ${'of the very long names '.repeat(9)}`.slice(0, 185).trim()
const externalUserId = `auth0|${'0123456789abcdef'.repeat(12)}`

/** Fills a service with resources whose names and texts have the greatest length. */
export async function fillLongHotel(service: QuestionService): Promise<Hotel> {
  const { running, model } = service
  const add = async (path: string, body: object) => {
    const {
      status,
      text,
      body: made,
    } = await running.client.call<{ id: string }>('POST', `/api/v1/${path}`, {
      body,
    })
    if (status >= 300) throw new Error(`${path}: ${text}`)
    return made.id
  }
  const subAgentId = await service.makeAgent({ name: long('Sub-agent').slice(0, 40) })
  const agentId = await service.makeAgent({
    name: long('Agent'),
    description: `${word} ${'A description that has no end. '.repeat(50)}`.slice(0, 1999),
    systemMessage: `${word.repeat(4)}\n${'You work at the desk and answer every question. '.repeat(400)}`,
    firstMessage: `${word} ${'Welcome to this place. '.repeat(40)}`,
    exampleQuestions: [1, 2, 3, 4, 5].map((number) => long(`Question ${number}`)),
    variables: Array.from({ length: 12 }, (_, index) => ({
      name: `variable_${index}_${'x'.repeat(50)}`,
      description: `${word} ${'described at length '.repeat(20)}`.slice(0, 499),
      default: word.repeat(6),
    })),
    subAgentIds: [subAgentId],
    tools: Array.from({ length: 3 }, (_, index) => ({
      kind: 'http',
      name: `tool_${index}_${'x'.repeat(50)}`,
      title: long('Tool'),
      description: `${word} ${'Finds a booking by its number. '.repeat(30)}`,
      parameters: { type: 'object', properties: { [`parameter_${'y'.repeat(50)}`]: { type: 'string' } } },
      request: { method: 'POST', url: `${service.tools.url}/${'path/'.repeat(30)}` },
    })),
  })
  const metadata = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`key_${index}_${'k'.repeat(60)}`, `${word} ${index}`]),
  )
  model.answer({
    text: `${word.repeat(4)} ${'An answer without an end. '.repeat(60)}\n\n\`\`\`\n${word.repeat(5)}\n\`\`\``,
  })
  const question = `${word.repeat(3)} ${'Where is the room? '.repeat(60)}`
  const { body } = await ask(running, agentId, { question, externalUserId, metadata })
  const { client, provider, ticket } = await service.speakTo(agentId, { externalUserId, metadata })
  provider.socket.close()
  client.socket.close()
  const session = await endedSession(running.client, ticket.conversationId)
  const found = await running.client.call<{ items: { id: string }[] }>('GET', '/api/v1/EndUser?Limit=1')
  const endUserId = found.body.items[0]?.id ?? ''
  await running.client.call('PATCH', `/api/v1/EndUser/${endUserId}`, {
    body: { name: long('End user'), metadata },
  })
  for (let index = 0; index < 60; index += 1)
    await add('Task', {
      title: `${long('Task')} ${index}`.slice(-200),
      agentId,
      externalId: `${index}-${'e'.repeat(150)}`,
    })
  await add('Task', {
    title: long('Scheduled'),
    agentId,
    schedule: { cron: '0 9 * * *', timeZone: 'America/Argentina/ComodRivadavia' },
  }).catch(() => undefined)
  await add('ApiKey', {
    name: long('Key'),
    scopes: ['agent:read', 'conversation:read', 'task:read', 'usage:read'],
  })
  const webhookId = await add('Webhook', {
    name: long('Webhook'),
    url: `${service.tools.url}/${'path/'.repeat(50)}`,
    events: ['*'],
    // The calls that are added later would be reported to it.
    isEnabled: false,
  })
  await add('Budget', { name: long('Budget'), period: 'month', limit: { amount: 123456789 }, agentId })
  await add('Connection', {
    name: long('Connection'),
    kind: 'openai-compatible',
    baseUrl: `${service.tools.url}/${'path/'.repeat(40)}`,
    models: { chat: 'm'.repeat(150), realtime: null, transcription: null },
  }).catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  const spoken = { agentId, endUserId, spokenId: ticket.conversationId, sessionId: session.id }
  const names = {
    ...{ name: long('Phone number'), connectionName: long('Phone connection') },
    otherNames: [long('SIP account'), long('Telnyx account'), long('Asterisk')] as const,
  }
  return {
    agentId,
    phoneCallId: await fillDeskPhone(service, spoken, names),
    conversationId: body.conversationId,
    sessionId: session.id,
    webhookId,
    endUserId,
    spokenId: ticket.conversationId,
    titles: { agent: /^Agent of/, webhook: /^Webhook of/, endUser: /^End user of/, conversation: /^Donau/ },
  }
}
