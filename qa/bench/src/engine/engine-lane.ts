import { Part } from '@parley/stage/processes/part'
import { cpuMicroseconds, residentBytes } from '@parley/stage/processes/process-usage'
import { Caller, type TurnMilliseconds } from './caller.js'
import type { StartCommand } from './engine-process.js'
import type { Runtime } from './real-time-factors.js'

/** The results of this many concurrent conversations. */
export interface LevelResult {
  readonly sessions: number
  /** The times of all answered turns, sorted. */
  readonly firstSoundMilliseconds: readonly number[]
  readonly unansweredTurns: number
  readonly cpuMilliseconds: number
  /** Of one core. */
  readonly cpuShare: number
  readonly residentBytes: number
}

/** Loading the models takes longer than a caller waits. */
const maxFirstAttempts = 10

/** One engine in its own process, with its callers. */
export class EngineLane {
  readonly #part: Part<StartCommand>
  readonly #url: string
  readonly #questions: readonly Buffer[]

  private constructor(part: Part<StartCommand>, url: string, questions: readonly Buffer[]) {
    this.#part = part
    this.#url = url
    this.#questions = questions
  }

  /** The engine loads its models on first use, so the first turns do not count. */
  static async open(runtime: Runtime, questions: readonly Buffer[]): Promise<EngineLane> {
    const part = new Part<StartCommand>(new URL('./engine-process.js', import.meta.url))
    const url = await part.ask<string>({ command: 'start', runtime })
    const lane = new EngineLane(part, url, questions)
    for (let attempt = 1; attempt <= maxFirstAttempts; attempt += 1)
      if ((await lane.#converse(1, 0)).every((turn) => turn !== null)) return lane
    await lane.close()
    throw new Error(`The engine answered none of ${maxFirstAttempts} questions.`)
  }

  async measure(sessions: number, turnsPerSession: number): Promise<LevelResult> {
    const startedAt = performance.now()
    const cpuBefore = cpuMicroseconds([this.#part.pid])
    const turns = await Promise.all(
      Array.from({ length: sessions }, (_, index) => this.#converse(turnsPerSession, index)),
    )
    const cpuMilliseconds = (cpuMicroseconds([this.#part.pid]) - cpuBefore) / 1000
    const all = turns.flat()
    const answered = all.filter((turn) => turn !== null)
    return {
      sessions,
      firstSoundMilliseconds: answered.sort((one, other) => one - other),
      unansweredTurns: all.length - answered.length,
      cpuMilliseconds,
      cpuShare: cpuMilliseconds / (performance.now() - startedAt),
      residentBytes: residentBytes([this.#part.pid]),
    }
  }

  close(): Promise<void> {
    return this.#part.stop()
  }

  /**
   * Each caller begins with another question. The lengths differ, so that callers do not speak in step. A caller without an
   * answer calls again, because a late answer must not count for the next question.
   */
  async #converse(turnCount: number, index: number): Promise<TurnMilliseconds[]> {
    const turns: TurnMilliseconds[] = []
    let caller = await Caller.connect(this.#url)
    for (let turn = 0; turn < turnCount; turn += 1) {
      const question = this.#questions[(index + turn) % this.#questions.length] ?? Buffer.alloc(0)
      const milliseconds = await caller.ask(question)
      turns.push(milliseconds)
      if (milliseconds !== null) continue
      await caller.hangUp()
      caller = await Caller.connect(this.#url)
    }
    await caller.hangUp()
    return turns
  }
}
