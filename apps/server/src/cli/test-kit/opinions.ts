import type { Parley } from '@parley/sdk'
import { askJudge } from './ask-judge.js'
import type { Opinions } from './check-exchange.js'
import { BrokenRun } from './talk.js'

/** Compares what texts mean. */
export interface SentenceMeaning {
  /** How near each of the texts comes to what is wanted; null where it cannot be told. */
  likeness(texts: readonly string[], wanted: string): Promise<readonly number[] | null>
}

export interface OpinionSources {
  readonly parley: Parley
  readonly meaning: SentenceMeaning
  readonly judgeId: string | null
  readonly transcript: () => readonly string[]
  readonly signal: AbortSignal
}

/** Whoever has an opinion on what was said: the sentence model, and the agent that judges. */
export function makeOpinions({ parley, meaning, judgeId, transcript, signal }: OpinionSources): Opinions {
  return {
    async likeness(text, wanted) {
      const found = await meaning.likeness([text, ...sentencesOf(text)], wanted)
      if (found === null)
        throw new BrokenRun('The sentence model did not answer, so no meaning can be compared.')
      return Math.max(...found)
    },
    judge(criterion) {
      if (judgeId === null) throw new BrokenRun(judgeMissing)
      return askJudge({ parley, judgeId, signal }, criterion, transcript())
    },
  }
}

export const judgeMissing = 'It is judged by a model: name an agent that judges with --judge AGENT.'
export const userMissing =
  'Its user is played by a model: name an agent that plays with --user AGENT, or with --judge AGENT.'

function sentencesOf(text: string): readonly string[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '')
  return sentences.length > 1 ? sentences : []
}
