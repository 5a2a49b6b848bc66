import type { Expectation } from '@parley/contract'
import type { Parley } from '@parley/sdk'
import { BrokenRun, type TextService } from './exchange.js'
import { judgeMissing, makeOpinions, type SentenceMeaning, userMissing } from './opinions.js'
import type { Cast, TestStage } from './run-tests.js'
import { makeSimulatedUser } from './simulated-user.js'
import type { PlannedTest } from './test-plan.js'
import { TextTalk } from './text-talk.js'
import type { SpeakingVoice } from './user-microphone.js'
import { VoiceTalk } from './voice-talk.js'

const voiceMissing = 'Tests by voice run with `parley test`, which speaks the words of the user.'

export interface StageParts {
  readonly parley: TextService
  /** `null` means that voice tests cannot run. */
  readonly voice: VoiceParts | null
  readonly meaning: SentenceMeaning
  castOf(test: PlannedTest, run: number): Promise<Cast>
}

interface VoiceParts {
  readonly parley: Parley
  readonly url: string
  readonly speaker: SpeakingVoice
}

/** Assembles the parts that tests run with. */
export function makeStage({ parley, voice, meaning, castOf }: StageParts): TestStage {
  return {
    parley,
    async castOf(test, run) {
      const cast = await castOf(test, run)
      if (cast.judgeId === null && isJudged(test)) throw new BrokenRun(judgeMissing)
      if (cast.userId === null && test.script.kind === 'goal') throw new BrokenRun(userMissing)
      return cast
    },
    async startTalk(test, options) {
      if (test.channel === 'text') return new TextTalk(options)
      if (voice === null) throw new BrokenRun(voiceMissing)
      return VoiceTalk.open({ ...options, ...voice, voice: test.voice })
    },
    opinionsOf: ({ judgeId }, record, signal) =>
      makeOpinions({ parley, meaning, judgeId, transcript: () => record.transcript, signal }),
    playUser({ userId }, goal, signal) {
      if (userId === null) throw new BrokenRun(userMissing)
      return makeSimulatedUser({ parley, userId, signal }, goal)
    },
  }
}

function isJudged({ script, expect }: PlannedTest): boolean {
  const ofTurns =
    script.kind === 'turns' ? script.turns.flatMap((turn) => [...turn.expect, ...turn.then]) : []
  return [...ofTurns, ...expect].some(({ judge }: Expectation) => judge !== undefined)
}
