import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeQuestion, type QuestionAct } from '../outside/chat-model.js'
import { openHttp } from './http-call.js'
import type { LoadStage } from './load-stage.js'
import type { Tenant } from './tenant.js'
import { readEvents, type TurnStream } from './turn-stream.js'

const acts: readonly QuestionAct[] = ['plain', 'plain', 'note', 'charge']
const retryMilliseconds = 500
/** How long an accepted turn may take to end, including outages. */
const followMilliseconds = 100_000

/** Asks one question after the other. Reads each answer to its end, even if the stream breaks. */
export async function askOn(stage: LoadStage, tenant: Tenant, index: number): Promise<void> {
  for (let number = 1; !stage.isOver; number += 1) {
    await ask(stage, tenant, `q${index}-${number}`)
    await sleep(500 + stage.random() * 2000)
  }
}

async function ask(stage: LoadStage, tenant: Tenant, key: string): Promise<void> {
  const act = acts[Math.floor(stage.random() * acts.length)] ?? 'plain'
  const idempotencyKey = randomUUID()
  const stream: TurnStream = { turnId: '', conversationId: '', lastId: 0, text: '', end: null, faults: [] }
  const startedAt = Date.now()
  while (stream.turnId === '') {
    const opened = await openHttp(
      { url: stage.url, credentials: tenant.credentials },
      {
        method: 'POST',
        path: `/api/v1/Agent/${tenant.textAgentId}/question`,
        headers: { accept: 'text/event-stream', 'idempotency-key': idempotencyKey },
        body: { question: describeQuestion(key, act) },
      },
    )
    if (opened.ok && opened.response.statusCode === 200) await readEvents(opened.response, stream)
    else if (opened.ok) await reject(stage, opened.response)
    else stage.ledger.count(opened.code)
    if (stream.turnId !== '') break
    if (stage.isOver) return
    await sleep(retryMilliseconds)
  }
  await follow(stage, tenant, stream)
  const { turnId, conversationId, text, end, faults } = stream
  const endedAt = end === null ? null : Date.now()
  stage.ledger.questions.push({
    key,
    tenant: tenant.index,
    conversationId,
    turnId,
    startedAt,
    text,
    end,
    endedAt,
    faults,
  })
}

/** Resumes a broken stream, on any instance, until its last event. */
async function follow(stage: LoadStage, { credentials }: Tenant, stream: TurnStream): Promise<void> {
  const deadline = performance.now() + followMilliseconds
  while (stream.end === null && performance.now() < deadline) {
    const opened = await openHttp(
      { url: stage.url, credentials },
      {
        method: 'GET',
        path: `/api/v1/Conversation/${stream.conversationId}/turn/${stream.turnId}/events`,
        headers: { accept: 'text/event-stream', 'last-event-id': String(stream.lastId) },
      },
    )
    if (opened.ok && opened.response.statusCode === 200) await readEvents(opened.response, stream)
    else if (opened.ok) await reject(stage, opened.response)
    else stage.ledger.count(opened.code)
    if (stream.end === null) await sleep(retryMilliseconds)
  }
}

async function reject({ ledger }: LoadStage, response: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer)
  } catch {
    // The part that arrived is enough.
  }
  ledger.note('a question', { ok: true, status: response.statusCode ?? 0, body: Buffer.concat(chunks) }, [])
}
