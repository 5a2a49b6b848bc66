import type { TurnEvent, TurnStream } from '@parley/sdk'
import type { EventLog } from '../events/event-log'
import { stepCalls } from '../thread/call-events'
import { type MessageEntry, newMessageEntry } from '../thread/entry'
import { putEntry, replaceEntry } from '../thread/thread'
import type { ThreadStore } from '../thread/thread-store'

interface TurnBinding {
  readonly thread: ThreadStore
  readonly events: EventLog
  /** The question's entry until it is stored. Null for a resumed turn. */
  readonly question: MessageEntry | null
  readonly onStarted: (conversationId: string, turnId: string) => void
  readonly onAgentDone: () => void
}

/** Streams a turn into the thread. */
export async function runTurn(stream: TurnStream, binding: TurnBinding): Promise<void> {
  const { thread, events, onStarted, onAgentDone } = binding
  let answer: MessageEntry | null = null
  for await (const event of stream) {
    events.add('in', event)
    thread.measure(event)
    thread.change((state) => stepCalls(state, event))
    if (event.type === 'turn.started') onStarted(event.data.conversationId, event.data.turnId)
    if (event.type === 'message.created') showQuestion(binding, event.data)
    if (event.type === 'response.text.delta') answer = show(thread, grown(answer, event.data))
    if (event.type === 'subagent.done') onAgentDone()
    if (event.type === 'response.completed' && answer !== null) show(thread, { ...answer, isFinal: true })
    if (event.type === 'error') endInError(thread, answer, event)
  }
}

function show(thread: ThreadStore, message: MessageEntry): MessageEntry {
  thread.change((state) => putEntry(state, message))
  return message
}

function showQuestion({ thread, question }: TurnBinding, data: { id: string; content: string }): void {
  const { id, content: text } = data
  const message = question ?? newMessageEntry({ id, role: 'user', channel: 'text', text })
  thread.change((state) => replaceEntry(state, question?.id ?? id, { ...message, id, isFinal: true }))
}

/** Text after a tool call may be a new message. */
function grown(answer: MessageEntry | null, { id, delta }: { id: string; delta: string }): MessageEntry {
  if (answer?.id === id) return { ...answer, text: answer.text + delta }
  return newMessageEntry({ id, role: 'assistant', channel: 'text', text: delta })
}

function endInError(
  thread: ThreadStore,
  answer: MessageEntry | null,
  { data: { code, message } }: Extract<TurnEvent, { type: 'error' }>,
): void {
  if (answer !== null)
    thread.change((state) => putEntry(state, { ...answer, isFinal: true, isInterrupted: true }))
  const isStopped = code === 'turn_stopped'
  if (isStopped && answer !== null) return
  const text = isStopped ? 'Stopped before the response started.' : message
  const id = `error-${crypto.randomUUID()}`
  thread.change((state) => putEntry(state, { kind: 'note', id, text, isProblem: !isStopped }))
}
