import type { QuestionAnswer } from '@parley/contract'
import type { ApiAnswer } from '../api-client.js'
import type { RunningService } from '../start-service.js'
import { type EventStream, openStream } from './event-stream.js'

export interface Question {
  readonly question: string
  readonly conversationId?: string
  readonly fileIds?: readonly string[]
  readonly additionalInstructions?: string
  readonly rehearsal?: object | null
  readonly responseSchema?: object
  readonly externalUserId?: string
  readonly metadata?: object
  readonly variables?: object
}

type Service = Pick<RunningService, 'url' | 'apiKey' | 'organizationId' | 'client'>

/** Asks a question and waits for the answer. */
export function ask(
  { client }: Service,
  agentId: string,
  body: Question,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer<QuestionAnswer>> {
  return client.call('POST', `/api/v1/Agent/${agentId}/question`, { body, headers })
}

/** Asks a question and streams the answer. */
export function askStreaming(
  service: Service,
  agentId: string,
  body: Question,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  return openStream(`${service.url}/api/v1/Agent/${agentId}/question`, {
    method: 'POST',
    headers: { ...headersOf(service), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** Resumes a stream from its start or after an event. */
export function follow(
  service: Service,
  { conversationId, turnId }: { readonly conversationId: string; readonly turnId: string },
  lastEventId?: number,
): Promise<EventStream> {
  return openStream(`${service.url}/api/v1/Conversation/${conversationId}/turn/${turnId}/events`, {
    headers: {
      ...headersOf(service),
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
    },
  })
}

function headersOf({ apiKey, organizationId }: Service): Record<string, string> {
  return { 'x-api-key': apiKey, 'x-org-id': organizationId, accept: 'text/event-stream' }
}
