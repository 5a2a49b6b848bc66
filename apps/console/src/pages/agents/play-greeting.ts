import type { Agent, Parley } from '@parley/sdk'
import { startVoice, type Voice } from '@parley/sdk/realtime'
import { storedContext } from '../../data/caller-context'
import { missingVariables } from '../../data/template-variables'

/** The page's content security policy allows only files that the service serves. */
const workletUrl = '/sdk/v1/audio.worklet.js'

const longestSeconds = 40

/** The instructions of a voice test. */
const additionalInstructions = 'Answer with one short greeting and nothing more. Call no tools.'

interface Greeting {
  readonly parley: Parley
  readonly agentId: string
  /** The voice chosen in the editor. `null` means the default of the connection. */
  readonly voice: string | null
  readonly mayTidyUp: boolean
  readonly signal: AbortSignal
  readonly onSpeaking: () => void
}

/** Lets the agent say one sentence, in a normal session without a microphone. */
export async function playGreeting(greeting: Greeting): Promise<void> {
  const { parley, agentId, voice: name, mayTidyUp, signal, onSpeaking } = greeting
  let firstMessage: string | null = null
  const voice = startVoice({
    ticket: async () => {
      const agent = await parley.agents.get(agentId)
      firstMessage = agent.firstMessage
      return parley.realtimeSessions.create(agentId, {
        // A stored voice would replace the default.
        ...((name ?? agent.voice) !== null && { voice: name ?? 'alloy' }),
        additionalInstructions,
        variables: sampleValues(agent),
      })
    },
    microphone: false,
    maxReconnects: 0,
    workletUrl,
  })
  const stop = () => void voice.close()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, longestSeconds * 1000)
  signal.addEventListener('abort', stop)
  try {
    await voice.ready
    if (firstMessage === null) await voice.sendText('Hello there!')
    const hasSpoken = await spoken(voice, onSpeaking)
    if (isLate && !hasSpoken) throw new Error(`The agent did not speak within ${longestSeconds} seconds.`)
  } finally {
    clearTimeout(timer)
    await voice.close()
    const { conversationId } = voice.getState()
    // Removes the conversation of the test, if the user may do that.
    if (conversationId !== null && mayTidyUp)
      await parley.conversations.delete(conversationId).then(undefined, () => undefined)
  }
}

/** The values of the playground. Missing required ones are replaced by their names. */
function sampleValues({ id, variables }: Agent): Record<string, string> {
  const stored = storedContext(id).variables
  const missing = missingVariables(variables, stored).map((each) => [each.name, each.name])
  return { ...stored, ...Object.fromEntries(missing) }
}

/** Resolves with whether the agent has spoken, after the answer or a stop. */
function spoken(voice: Voice, onSpeaking: () => void): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let hasSpoken = false
    voice.subscribe(({ isSpeaking, isResponding, end }) => {
      if (isSpeaking && !hasSpoken) {
        hasSpoken = true
        onSpeaking()
      }
      if (hasSpoken && !isSpeaking && !isResponding) resolve(true)
      if (end === null) return
      if (hasSpoken || end.reason === 'client_left') resolve(hasSpoken)
      else reject(new Error(end.message))
    })
    voice.on('error', ({ message }) => reject(new Error(message)))
  })
}
