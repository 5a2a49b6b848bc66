import { SessionSocket, type SocketListener } from './session-socket.js'
import { isRenewable, type TicketSource, type ToolDeclaration, takeTicket } from './ticket.js'
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

/** One session after another in a conversation, until one ends permanently. The first must open, later ones are retried. */
export async function runSessions(options: SessionRunOptions): Promise<void> {
  let { conversationId } = options
  let attempt = 0
  for (;;) {
    const startedAt = Date.now()
    const run = await runSession(options, conversationId, attempt)
    conversationId = run.conversationId
    if (run.hasOpened && Date.now() - startedAt > goodSessionMilliseconds) attempt = 0
    const isLast =
      options.signal.aborted ||
      !isRenewable(options.ticket) ||
      (attempt === 0 && !run.hasOpened) ||
      attempt >= options.maxReconnects ||
      !(mayReconnect(run.end) || (attempt > 0 && run.end.reason === 'ticket_failed'))
    attempt = isLast ? 0 : attempt + 1
    options.onEnd(run.end, attempt)
    if (isLast || !(await pause(attempt, options.signal))) return
  }
}

interface Run {
  readonly end: VoiceEnd
  readonly conversationId: string | null
  readonly hasOpened: boolean
}

async function runSession(
  options: SessionRunOptions,
  conversationId: string | null,
  attempt: number,
): Promise<Run> {
  const { ticket, url, clientTools, signal } = options
  const taken = await takeTicket(ticket, url, { conversationId, attempt, clientTools })
  if (!taken.ok) return { end: endBefore('ticket_failed', taken.message), conversationId, hasOpened: false }
  const known = taken.address.conversationId ?? conversationId
  if (known !== null) options.onConversation(known)
  if (signal.aborted) return { end: endOfClose(leftCode), conversationId: known, hasOpened: false }
  const opening = await SessionSocket.open(taken.address.url, options, signal)
  if (!opening.ok) return { end: opening.end, conversationId: known, hasOpened: false }
  return { end: await opening.socket.ended, conversationId: known, hasOpened: true }
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
