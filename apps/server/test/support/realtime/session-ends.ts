import { closeCodes, type EndReason, ServiceErrorEvent } from '@parley/contract'
import { expect } from 'vitest'
import type { RunningService } from '../start-service.js'
import type { OpenSession } from './realtime-service.js'
import { endedSession } from './spoken-turns.js'

/** The expected detail: an exact text or a pattern. */
export type Detail = string | RegExp

const reads = (detail: Detail): unknown =>
  typeof detail === 'string' ? detail : expect.stringMatching(detail)

interface EndLine {
  readonly sessionId: string
  readonly reason: EndReason
  readonly detail: string
}

/** The log lines about ends of sessions, in order. */
export function endLines({ log }: RunningService): EndLine[] {
  return log
    .map((line) => JSON.parse(line) as EndLine & { readonly msg: string })
    .filter(({ msg }) => msg === 'realtime session ended')
    .map(({ sessionId, reason, detail }) => ({ sessionId, reason, detail }))
}

/** The service's own errors that the client got. A provider's errors have another type. */
function serviceErrors({ inbox }: OpenSession['client']): unknown[] {
  return inbox.all
    .filter(({ isBinary, data }) => !isBinary && data.includes('"service_error"'))
    .map(({ data }) => JSON.parse(data.toString()) as unknown)
}

/**
 * Expects every trace of an end exactly once: stored reason, log line, `error` event, close code, and both
 * sides closed.
 */
export async function expectEnd(
  running: RunningService,
  { ticket, client }: Pick<OpenSession, 'ticket' | 'client'>,
  reason: keyof typeof closeCodes,
  detail: Detail,
): Promise<void> {
  expect(await client.inbox.closed).toEqual({ code: closeCodes[reason], reason })
  expect(serviceErrors(client)).toEqual([JSON.parse(client.inbox.all.at(-1)?.data.toString() ?? 'null')])
  const { event_id: id, error } = ServiceErrorEvent.parse(serviceErrors(client)[0])
  expect(id).toMatch(/^svc_.{36}$/)
  expect(error).toMatchObject({ code: reason, message: reads(detail), event_id: null })
  await expectStoredEnd(running, ticket.conversationId, reason, detail)
}

/** The same if the client has left or needs no notification. */
export async function expectSilentEnd(
  running: RunningService,
  { ticket, client }: OpenSession,
  reason: EndReason,
): Promise<void> {
  await client.inbox.closed
  expect(serviceErrors(client)).toEqual([])
  await expectStoredEnd(running, ticket.conversationId, reason, /./)
}

async function expectStoredEnd(
  running: RunningService,
  conversationId: string,
  reason: EndReason,
  detail: Detail,
): Promise<void> {
  const stored = await endedSession(running.client, conversationId)
  expect(stored.endReason).toBe(reason)
  expect(endLines(running).filter(({ sessionId }) => sessionId === stored.id)).toEqual([
    { sessionId: stored.id, reason, detail: reads(detail) },
  ])
}
