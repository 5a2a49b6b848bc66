import { Part } from '../processes/part.js'
import { cpuMicroseconds, residentBytes } from '../processes/process-usage.js'
import { Caller, type TurnMilliseconds } from './caller.js'
import type { StartCommand } from './engine-process.js'
import type { Runtime } from './real-time-factors.js'

/** So many conversations at once, and what came of them. */
export interface LevelResult {
  readonly sessions: number
  /** Of every turn that was answered, in order of length. */
  readonly firstSoundMilliseconds: readonly number[]
  readonly unansweredTurns: number
  /** Of one core. */
  readonly cpuShare: number
  readonly residentBytes: number
}

/** One engine in a process of its own, and those who talk to it. */
export class EngineLane {
  readonly #part: Part<StartCommand>
  readonly #url: string
  readonly #questions: readonly Buffer[]

  private constructor(part: Part<StartCommand>, url: string, questions: readonly Buffer[]) {
    this.#part = part
    this.#url = url
    this.#questions = questions
  }

  /** Models are loaded when they are first needed, so the first turns are not counted. */
  static async open(runtime: Runtime, questions: readonly Buffer[]): Promise<EngineLane> {
    const part = new Part<StartCommand>(new URL('./engine-process.js', import.meta.url))
    const url = await part.ask<string>({ command: 'start', runtime })
    const lane = new EngineLane(part, url, questions)
    await lane.#converse(2, 0)
    return lane
  }

  async measure(sessions: number, turnsPerSession: number): Promise<LevelResult> {
    const startedAt = performance.now()
    const cpuBefore = cpuMicroseconds([this.#part.pid])
    const turns = await Promise.all(
      Array.from({ length: sessions }, (_, place) => this.#converse(turnsPerSession, place)),
    )
    const cpu = cpuMicroseconds([this.#part.pid]) - cpuBefore
    const all = turns.flat()
    const answered = all.filter((turn) => turn !== null)
    return {
      sessions,
      firstSoundMilliseconds: answered.sort((one, other) => one - other),
      unansweredTurns: all.length - answered.length,
      cpuShare: cpu / 1000 / (performance.now() - startedAt),
      residentBytes: residentBytes([this.#part.pid]),
    }
  }

  close(): Promise<void> {
    return this.#part.stop()
  }

  /** Each begins with another question; their lengths differ, so that callers do not speak in step. */
  async #converse(turnCount: number, place: number): Promise<TurnMilliseconds[]> {
    const caller = await Caller.connect(this.#url)
    const turns: TurnMilliseconds[] = []
    for (let turn = 0; turn < turnCount; turn += 1) {
      const question = this.#questions[(place + turn) % this.#questions.length]
      if (question !== undefined) turns.push(await caller.ask(question))
    }
    await caller.hangUp()
    return turns
  }
}
