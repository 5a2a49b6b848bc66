import { SessionSocket, type SocketListener } from './session-socket.js'
import {
  isRenewable,
  type TicketOutcome,
  type TicketSource,
  type ToolDeclaration,
  takeTicket,
} from './ticket.js'
import { endBefore, endOfClose, leftCode, mayReconnect, type VoiceEnd } from './voice-end.js'

export interface SessionRunOptions extends SocketListener {
  readonly ticket: TicketSource
  readonly url: string | null
  readonly conversationId: string | null
  readonly clientTools: readonly ToolDeclaration[]
  readonly maxReconnects: number
  readonly signal: AbortSignal
  /** The path is known. Nothing was opened yet. */
  readonly onConversation: (conversationId: string) => void
  /** The session has ended. `nextAttempt` is 0 if no other follows. */
  readonly onEnd: (end: VoiceEnd, nextAttempt: number) => void
}

const firstDelayMilliseconds = 300
const longestDelayMilliseconds = 8000
/** A session that lasted this long was good. Its end resets the count of attempts. */
const goodSessionMilliseconds = 10_000
/** A ticket is valid for 60 seconds. */
const freshTicketMilliseconds = 45_000

/** A ticket that was requested while the former session was still running. */
interface NextTicket {
  readonly requestedAt: number
  readonly outcome: Promise<TicketOutcome>
}

/** One session after another in a conversation, until one ends permanently. The first must open, later ones are retried. */
export async function runSessions(options: SessionRunOptions): Promise<void> {
  let { conversationId } = options
  let attempt = 0
  let next: NextTicket | null = null
  for (;;) {
    const startedAt = Date.now()
    const run: Run = await runSession(options, conversationId, attempt, next)
    conversationId = run.conversationId
    next = run.next
    if (run.hasOpened && Date.now() - startedAt > goodSessionMilliseconds) attempt = 0
    const isLast =
      options.signal.aborted ||
      !isRenewable(options.ticket) ||
      (attempt === 0 && !run.hasOpened) ||
      attempt >= options.maxReconnects ||
      !(mayReconnect(run.end) || (attempt > 0 && run.end.reason === 'ticket_failed'))
    attempt = isLast ? 0 : attempt + 1
    options.onEnd(run.end, attempt)
    if (isLast || (next === null && !(await pause(attempt, options.signal)))) return
  }
}

interface Run {
  readonly end: VoiceEnd
  readonly conversationId: string | null
  readonly hasOpened: boolean
  readonly next: NextTicket | null
}

async function runSession(
  options: SessionRunOptions,
  conversationId: string | null,
  attempt: number,
  prepared: NextTicket | null,
): Promise<Run> {
  const { ticket, url, clientTools, signal } = options
  const unopened = { hasOpened: false, next: null } as const
  const taken =
    (await preparedTicket(prepared)) ??
    (await takeTicket(ticket, url, { conversationId, attempt, clientTools }))
  if (!taken.ok) return { end: endBefore('ticket_failed', taken.message), conversationId, ...unopened }
  const known = taken.address.conversationId ?? conversationId
  if (known !== null) options.onConversation(known)
  if (signal.aborted) return { end: endOfClose(leftCode), conversationId: known, ...unopened }
  let next: NextTicket | null = null
  const listener: SocketListener = {
    onRaw: (event) => options.onRaw(event),
    onSent: (message) => options.onSent(message),
    onEvent(event, socket) {
      if (event.type === 'session.moving' && !isFresh(next) && isRenewable(ticket)) {
        const request = { conversationId: known, attempt: attempt + 1, clientTools }
        next = { requestedAt: Date.now(), outcome: takeTicket(ticket, url, request) }
      }
      options.onEvent(event, socket)
    },
  }
  const opening = await SessionSocket.open(taken.address.url, listener, signal)
  if (!opening.ok) return { end: opening.end, conversationId: known, ...unopened }
  return { end: await opening.socket.ended, conversationId: known, hasOpened: true, next }
}

const isFresh = (next: NextTicket | null): next is NextTicket =>
  next !== null && Date.now() - next.requestedAt <= freshTicketMilliseconds

/** Returns the prepared ticket if it can still be used. */
async function preparedTicket(prepared: NextTicket | null): Promise<TicketOutcome | null> {
  if (!isFresh(prepared)) return null
  const outcome = await prepared.outcome
  return outcome.ok ? outcome : null
}

/** Waits longer each time, with jitter, so that clients do not reconnect together. Returns false if it was ended. */
function pause(attempt: number, signal: AbortSignal): Promise<boolean> {
  const max = Math.min(firstDelayMilliseconds * 2 ** (attempt - 1), longestDelayMilliseconds)
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), max * (0.5 + Math.random() / 2))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
}
