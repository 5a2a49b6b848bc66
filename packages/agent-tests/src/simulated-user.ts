import { BrokenRun, type Exchange, type TextService } from './exchange.js'
import type { NextMessage } from './run-once.js'

const instructionsFor = (
  goal: string,
) => `You are playing a user who wants something from an AI agent. You are not the agent, and you do not help.
Your goal: ${goal}
Each message that you receive is a message of the agent. Reply only with your next message, as short as such a user would write it.
When you have reached your goal, reply only with DONE. If you cannot reach your goal, reply with GIVE UP and the reason.`

const opening = '(The conversation begins. Send your first message.)'

export interface SimulatedUser {
  readonly nextMessage: NextMessage
  close(): Promise<void>
}

/**
 * Makes a simulated user with a goal, played by an agent. The agent runs in a rehearsal without tools, so it
 * can only talk.
 */
export function makeSimulatedUser(
  {
    parley,
    userId,
    signal,
  }: { readonly parley: TextService; readonly userId: string; readonly signal: AbortSignal },
  goal: string,
): SimulatedUser {
  let conversationId: string | null = null
  return {
    async nextMessage(said) {
      const asked = await parley.questions.ask(
        userId,
        {
          question: said === null ? opening : heard(said),
          conversationId,
          additionalInstructions: instructionsFor(goal),
          rehearsal: { tools: [] },
        },
        { signal },
      )
      conversationId = asked.conversationId
      const words = asked.answer?.trim() ?? ''
      if (words === '') throw new BrokenRun(`The simulated user said nothing: ${asked.failure}`)
      if (/^\W*DONE\b/.test(words)) return { kind: 'reached' }
      const [, reason] = /^\W*GIVE UP\b\W*([\s\S]*)/.exec(words) ?? []
      return reason === undefined ? { kind: 'says', words } : { kind: 'gives-up', reason }
    },
    async close() {
      if (conversationId !== null) await parley.conversations.delete(conversationId).catch(() => undefined)
    },
  }
}

function heard({ words, failure }: Exchange): string {
  return words === '' ? `(The agent says nothing. ${failure ?? ''})` : words
}
