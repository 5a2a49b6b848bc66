import { isRecord } from './session-event.js'

/** The arguments of your ticket function. */
export interface TicketRequest {
  /** The conversation to continue. `null` starts a new one. */
  readonly conversationId: string | null
  /** 0 for the first session. Each reconnect attempt increases it. */
  readonly attempt: number
  /** The client's tools, for `clientTools` of the session that your backend requests. */
  readonly clientTools: readonly ToolDeclaration[]
}

export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The `webSocketPath` of a session, as text or in its ticket. */
export type Ticket = string | { readonly webSocketPath: string }

/**
 * The source of sessions: a function that asks your backend; the URL of your backend, which responds to a POST with a ticket
 * as JSON; or one `webSocketPath`, which cannot reconnect.
 */
export type TicketSource = string | ((request: TicketRequest) => Ticket | Promise<Ticket>)

export interface SessionAddress {
  readonly url: URL
  readonly conversationId: string | null
}

export type TicketOutcome =
  | { readonly ok: true; readonly address: SessionAddress }
  | { readonly ok: false; readonly message: string }

/** Whether another session can be requested. */
export function isRenewable(source: TicketSource): boolean {
  return typeof source === 'function' || !isSocketPath(source)
}

/** `service` is the origin of the socket. `null` means the page's own origin. */
export async function takeTicket(
  source: TicketSource,
  service: string | null,
  request: TicketRequest,
): Promise<TicketOutcome> {
  try {
    const ticket = await ask(source, request)
    const path = isRecord(ticket) ? ticket.webSocketPath : ticket
    if (typeof path !== 'string' || path === '') return failed('The ticket has no webSocketPath.')
    const base = service ?? pageAddress()
    if (base === null && !/^(?:ws|http)s?:/.test(path))
      return failed('The option url is required outside of a page.')
    const url = new URL(path, base ?? undefined)
    url.protocol = url.protocol.replace('http', 'ws')
    return { ok: true, address: { url, conversationId: url.searchParams.get('conversationId') } }
  } catch (error) {
    return failed(`Could not get a session: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function failed(message: string): TicketOutcome {
  return { ok: false, message }
}

async function ask(source: TicketSource, request: TicketRequest): Promise<unknown> {
  if (typeof source === 'function') return source(request)
  if (isSocketPath(source)) return source
  const { conversationId, clientTools } = request
  const reply = await fetch(source, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ conversationId, clientTools }),
  })
  if (!reply.ok) throw new Error(`${source} answered with status ${reply.status}.`)
  return reply.json()
}

function isSocketPath(source: string): boolean {
  return /[?&]sessionId=/.test(source)
}

function pageAddress(): string | null {
  return typeof location === 'undefined' ? null : location.href
}
