import type { RawEvent, TranscriptItem, Voice, VoiceEnd, VoiceEndReason } from '@parley/sdk/realtime'
import type { EventLog } from '../events/event-log'
import { stepCalls } from '../thread/call-events'
import { newMessageEntry } from '../thread/entry'
import { isCallEvent } from '../thread/service-event'
import { editCall, putEntry } from '../thread/thread'
import type { ThreadStore } from '../thread/thread-store'
import { beginTiming, textOf } from '../thread/timing'

interface VoiceBinding {
  readonly thread: ThreadStore
  readonly events: EventLog
  readonly onConversation: (conversationId: string) => void
  /** Another agent has finished, and its messages are stored. */
  readonly onAgentDone: () => void
  readonly onEnd: (end: VoiceEnd) => void
}

/** The level above which audio counts as speech. */
const voiceLevel = 0.03
/** A longer silence separates utterances. */
const longestPauseMilliseconds = 4000

/** Errors that the session's end reports as well, and harmless ones about answers that just ended or have not started. */
const shownElsewhere: ReadonlySet<string> = new Set<VoiceEndReason | ProviderRefusal>([
  'message_too_big',
  'internal',
  'draining',
  'max_duration',
  'idle_timeout',
  'provider_unavailable',
  'provider_closed',
  'slow_consumer',
  'terminated',
  'budget_exceeded',
  'response_cancel_not_active',
  'conversation_already_has_active_response',
])
type ProviderRefusal = 'response_cancel_not_active' | 'conversation_already_has_active_response'

/** Applies the events of a voice session to the thread. */
export function bindVoice(voice: Voice, binding: VoiceBinding): void {
  const { thread, events, onConversation, onAgentDone, onEnd } = binding
  let loudAt = 0
  voice.on('levels', ({ input }) => {
    if (input > voiceLevel) loudAt = performance.now()
  })
  voice.subscribe(({ conversationId }) => {
    if (conversationId !== null) onConversation(conversationId)
  })
  voice.on('sent', (message) => events.add('out', message))
  voice.on('raw', (event) => {
    events.add('in', event)
    if (event.type === 'input_audio_buffer.speech_stopped') {
      const now = performance.now()
      // Without the end of speech, its detection time is unknown too.
      const isKnown = now - loudAt < longestPauseMilliseconds
      thread.beginExchange(isKnown ? beginTiming(loudAt, now) : beginTiming(now))
    }
    // A session reports completion twice, first for the model.
    if (event.type !== 'response.completed') thread.measure(event)
    handleCall(thread, event)
    if (event.type === 'subagent.done') onAgentDone()
  })
  voice.on('message', (item) => showItem(thread, item))
  voice.on('error', ({ message, code }) => {
    if (code !== null && shownElsewhere.has(code)) return
    const id = `error-${crypto.randomUUID()}`
    thread.change((state) => putEntry(state, { kind: 'note', id, text: message, isProblem: true }))
  })
  voice.on('end', (end) => {
    for (const { callId, status } of voice.getState().calls)
      if (status === 'unknown') thread.change((state) => editCall(state, callId, { status }))
    onEnd(end)
  })
}

function handleCall(thread: ThreadStore, event: RawEvent): void {
  if (isCallEvent(event)) thread.change((state) => stepCalls(state, event))
  // A question to another agent is shown only in its call.
  if (event.type === 'response.function_call_arguments.done')
    thread.change((state) =>
      editCall(state, textOf(event.call_id), { argumentsText: textOf(event.arguments) }),
    )
}

function showItem(thread: ThreadStore, item: TranscriptItem): void {
  // The context given to the model is already shown as messages.
  if (item.id.startsWith('past_')) return
  const { id, role, text, isFinal, isInterrupted, failure } = item
  const message = newMessageEntry({ id, role, channel: 'realtime', text, isFinal, isInterrupted, failure })
  thread.change((state) => putEntry(state, message))
}
