import type { Parley, RealtimeSessionTicket } from '@parley/sdk'
import workletUrl from '@parley/sdk/audio.worklet.js?url'
import { startVoice, type Voice } from '@parley/sdk/realtime'

const longestSeconds = 40

interface Greeting {
  readonly parley: Parley
  readonly agentId: string
  /** The voice that is chosen in the editor; null: alloy. */
  readonly voice: string | null
  readonly mayTidyUp: boolean
  readonly signal: AbortSignal
  readonly onSpeaking: () => void
}

/** Has the agent say one sentence, through a session like any other but without a microphone. */
export async function playGreeting(greeting: Greeting): Promise<void> {
  const { parley, agentId, voice: name, mayTidyUp, signal, onSpeaking } = greeting
  let ticket: RealtimeSessionTicket | null = null
  const voice = startVoice({
    ticket: async () => {
      ticket = await parley.realtimeSessions.create(agentId, { voice: name ?? 'alloy' })
      return ticket
    },
    microphone: false,
    maxReconnects: 0,
    workletUrl,
  })
  const stop = () => void voice.close()
  const timer = setTimeout(stop, longestSeconds * 1000)
  signal.addEventListener('abort', stop)
  try {
    await voice.ready
    await voice.sendText('Please greet me in one short sentence.')
    await spoken(voice, onSpeaking)
  } finally {
    clearTimeout(timer)
    await voice.close()
    const { conversationId } = voice.getState()
    // A test leaves nothing among the conversations, where the person may remove it.
    if (conversationId !== null && mayTidyUp)
      await parley.conversations.delete(conversationId).then(undefined, () => undefined)
  }
}

/** Resolves when it has said something and is silent again, or when it has ended. */
function spoken(voice: Voice, onSpeaking: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let hasSpoken = false
    voice.subscribe(({ isSpeaking, isResponding, end }) => {
      if (isSpeaking && !hasSpoken) {
        hasSpoken = true
        onSpeaking()
      }
      if (hasSpoken && !isSpeaking && !isResponding) resolve()
      if (end === null) return
      if (hasSpoken || end.reason === 'client_left') resolve()
      else reject(new Error(end.message))
    })
    voice.on('error', ({ message }) => reject(new Error(message)))
  })
}
