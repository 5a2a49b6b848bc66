import { expect } from 'vitest'
import { ask, askStreaming } from '../questions/ask.js'
import type { QuestionService } from '../questions/question-service.js'
import {
  answered,
  committed,
  endedSession,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
} from '../realtime/spoken-turns.js'
import { fillDeskPhone } from './phone-desk.js'

/** The demo data of a small hotel. */
export interface Hotel {
  readonly agentId: string
  readonly conversationId: string
  readonly sessionId: string
  readonly webhookId: string
  /** The spoken conversation. */
  readonly spokenId: string
  /** The guest of the typed and the spoken conversation. */
  readonly endUserId: string
  /** An active call. */
  readonly phoneCallId: string
  /** The headings of the pages of single resources. */
  readonly titles: Readonly<Record<'agent' | 'webhook' | 'endUser' | 'conversation', RegExp>>
}

const titles = {
  agent: /Blue Hotel desk/,
  webhook: /Booking system/,
  endUser: /Grace Hopper/,
  conversation: /booking 4711/,
}

/** A tool that requires approval. */
export const cancelTool = (url: string) => ({
  kind: 'http',
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description: 'Cancels a booking and refunds what was paid.',
  parameters: {
    type: 'object',
    properties: { number: { type: 'string', description: 'The number of the booking.' } },
    required: ['number'],
  },
  request: { method: 'POST', url: `${url}/cancel` },
  approvalRequired: true,
})

export const findTool = (url: string) => ({
  kind: 'http',
  name: 'find_booking',
  title: 'Find a booking',
  description: 'Finds a booking by its number.',
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  request: { method: 'GET', url: `${url}/booking` },
})

/** Fills a service with the data of a few days at the desk. */
export async function fillHotel(service: QuestionService): Promise<Hotel> {
  const { running, tools } = service
  const housekeeping = await service.makeAgent({ name: 'Housekeeping', systemMessage: 'You know the rooms.' })
  const agentId = await service.makeAgent({
    name: 'Blue Hotel desk',
    description: 'Answers guests by voice and in writing.',
    systemMessage: 'You work at the desk of the Blue Hotel. Be brief and kind.',
    tools: [findTool(tools.url), cancelTool(tools.url)],
    subAgentIds: [housekeeping],
  })
  await setPrice(service)
  const conversationId = await askForBooking(service, agentId)
  const spoken = await speakAboutBreakfast(service, agentId)
  await waitForApproval(service, agentId)
  await addTasks(running.client, agentId)
  const webhookId = await tellBookingSystem(service)
  await setBudgets(service, agentId)
  const endUserId = await nameGuest(running.client)
  const phoneCallId = await fillDeskPhone(service, { agentId, endUserId, ...spoken })
  return { agentId, conversationId, webhookId, endUserId, phoneCallId, titles, ...spoken }
}

async function nameGuest(client: QuestionService['running']['client']): Promise<string> {
  const found = await client.call<{ items: { id: string }[] }>('GET', '/api/v1/EndUser?ExternalId=guest-17')
  const id = found.body.items[0]?.id ?? ''
  const body = { name: 'Grace Hopper', metadata: { vip: true, nights: 3, language: 'en' } }
  await client.call('PATCH', `/api/v1/EndUser/${id}`, { body })
  return id
}

async function askForBooking(service: QuestionService, agentId: string): Promise<string> {
  const { running, model, tools } = service
  const found = tools.expect('GET /booking?number=4711', {
    body: { guest: 'Grace Hopper', room: 12, nights: 3 },
  })
  model.answer({ calls: [{ name: 'find_booking', arguments: { number: '4711' } }] })
  model.answer({ text: 'Booking 4711 is in the name of Grace Hopper: room 12, three nights.' })
  const { body } = await ask(running, agentId, {
    question: 'Whose is booking 4711?',
    externalUserId: 'guest-17',
    metadata: { room: 12, channel: 'web' },
  })
  await found
  expect(body.status).toBe('completed')
  return body.conversationId
}

async function speakAboutBreakfast(
  service: QuestionService,
  agentId: string,
): Promise<Pick<Hotel, 'sessionId' | 'spokenId'>> {
  const { client, provider, ticket } = await service.speakTo(agentId, { externalUserId: 'guest-17' })
  provider.send({ type: 'input_audio_buffer.speech_started', item_id: 'u1', audio_start_ms: 0 })
  provider.send({ type: 'input_audio_buffer.speech_stopped', item_id: 'u1', audio_end_ms: 900 })
  provider.send(committed('u1'))
  provider.send(transcribed('u1', 'When is breakfast?'))
  provider.send(responseCreated('response of a1'))
  provider.send(spoke('a1', 'Breakfast is from seven '))
  provider.send({
    type: 'response.output_audio.delta',
    response_id: 'response of a1',
    item_id: 'a1',
    output_index: 0,
    content_index: 0,
    delta: 'AAAA',
  })
  provider.send(answered('a1', 'Breakfast is from seven to ten, in the garden room.'))
  provider.send(
    responseDone('response of a1', {
      status: 'completed',
      output: [],
      usage: {
        total_tokens: 210,
        input_tokens: 150,
        output_tokens: 60,
        input_token_details: { audio_tokens: 120, text_tokens: 30 },
        output_token_details: { audio_tokens: 45, text_tokens: 15 },
      },
    }),
  )
  await client.inbox.takeType('response.done')
  client.socket.close()
  const { id } = await endedSession(service.running.client, ticket.conversationId)
  return { sessionId: id, spokenId: ticket.conversationId }
}

/** A question that waits for approval. */
async function waitForApproval(service: QuestionService, agentId: string): Promise<void> {
  const { running, model } = service
  model.answer({ calls: [{ name: 'cancel_booking', arguments: { number: '4711' } }] })
  const stream = await askStreaming(running, agentId, { question: 'Cancel my booking 4711, please.' })
  await expect
    .poll(() => stream.received.map(({ event }) => event.type), { timeout: 60_000 })
    .toContain('approval.waiting')
}

const tasks = [
  { title: 'Call Grace Hopper back about the late arrival', priority: 'high', status: 'open' },
  {
    title: 'Order flowers for the garden room',
    priority: 'normal',
    status: 'in_progress',
    externalId: 'PMS-1042',
  },
  { title: 'Repair the lamp in room 12', priority: 'urgent', status: 'open', externalId: 'PMS-1043' },
  { title: 'Send the invoice of March again', priority: 'low', status: 'done', result: 'Sent on Monday.' },
]

async function addTasks(client: QuestionService['running']['client'], agentId: string): Promise<void> {
  for (const task of tasks) await client.call('POST', '/api/v1/Task', { body: { ...task, agentId } })
}

/** One webhook with a failed delivery, and a disabled one. */
async function tellBookingSystem({ running: { client }, tools }: QuestionService): Promise<string> {
  const add = async (fields: object) => {
    const { status, body, text } = await client.call<{ id: string }>('POST', '/api/v1/Webhook', {
      body: { url: `${tools.url}/told`, events: ['task.run.ended', 'approval.expired'], ...fields },
    })
    expect(status, text).toBe(201)
    return body.id
  }
  await add({ name: 'Warehouse', events: ['*'], isEnabled: false })
  const webhookId = await add({ name: 'Booking system' })
  for (const [status, body] of [
    [204, ''],
    [503, 'We are back in ten minutes.'],
    [200, { taken: true }],
  ] as const) {
    const told = tools.expect('POST /told', { status, body })
    await client.call('POST', `/api/v1/Webhook/${webhookId}/test`)
    await told
  }
  return webhookId
}

/** A custom price for the text model. Voice has none. */
async function setPrice({ running: { client } }: QuestionService): Promise<void> {
  const perMillion = { textInput: 300, textOutput: 1500 }
  const price = { kind: 'openai-compatible', model: 'a-text-model', perMillion }
  const { status, text } = await client.call('PUT', '/api/v1/Price', { body: { items: [price] } })
  expect(status, text).toBe(200)
}

/** One budget within its limit, and one that is nearly used up. */
async function setBudgets({ running: { client } }: QuestionService, agentId: string): Promise<void> {
  for (const budget of [
    { name: 'All of it', period: 'month', limit: { amount: 500 } },
    { name: 'The desk', period: 'day', limit: { tokens: 1000 }, warnAtPercent: 20, agentId },
  ]) {
    const { status, text } = await client.call('POST', '/api/v1/Budget', { body: budget })
    expect(status, text).toBe(201)
  }
}
