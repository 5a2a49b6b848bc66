import { expect } from 'vitest'
import {
  type EndReason,
  type Leg,
  type LegListener,
  type Line,
  type LineOptions,
  type RegistrationState,
  startTelephone,
} from '#telephone/index.js'
import { closeAfterwards } from '../../../../../apps/server/test/support/close-afterwards.js'

/** Writes down what happens to a leg. */
export class NotedLeg implements LegListener {
  leg: Leg | null = null
  readonly events: string[] = []
  readonly frames: Uint8Array[] = []
  end: EndReason | null = null

  ringing(): void {
    this.events.push('ringing')
  }

  answered(): void {
    this.events.push('answered')
  }

  audio(audio: Uint8Array): void {
    this.frames.push(audio)
  }

  digit(digit: string): void {
    this.events.push(`digit ${digit}`)
  }

  played(passage: string, milliseconds: number): void {
    this.events.push(`played ${passage} ${milliseconds}`)
  }

  held(isHeld: boolean): void {
    this.events.push(isHeld ? 'held' : 'resumed')
  }

  ended(reason: EndReason): void {
    this.events.push('ended')
    this.end = reason
  }

  /** All audio that was received. */
  get received(): Uint8Array {
    return Buffer.concat(this.frames)
  }

  async until(event: string): Promise<void> {
    await expect.poll(() => this.events, { message: `the leg reports no ${event}` }).toContain(event)
  }

  async hears(seconds: number): Promise<void> {
    await expect
      .poll(() => this.frames.length, { message: 'the leg hears too little' })
      .toBeGreaterThan(seconds * 50)
  }

  async untilEnded(): Promise<EndReason | null> {
    await this.until('ended')
    return this.end
  }
}

export interface TestLine {
  readonly line: Line
  readonly calls: NotedLeg[]
  readonly states: RegistrationState[]
  dial(to: string, from?: string): NotedLeg
  /** Resolves with the next call from outside. */
  nextCall(): Promise<NotedLeg>
  untilRegistered(): Promise<void>
}

/** Opens a line in a worker thread of its own. `onCall` decides what happens to calls. */
export async function openTestLine(
  options: Partial<LineOptions> & { readonly server: LineOptions['server'] & { readonly port: number } },
  onCall: (leg: Leg, noted: NotedLeg) => void = (leg) => leg.accept(),
): Promise<TestLine> {
  const telephone = startTelephone(() => {})
  closeAfterwards(() => telephone.close())
  const calls: NotedLeg[] = []
  const states: RegistrationState[] = []
  let taken = 0
  const { host: address, port } = options.server
  const line = await telephone.openLine(
    {
      username: 'parley',
      password: 'secret',
      isRegistered: false,
      bindAddress: '127.0.0.1',
      ...options,
    },
    {
      locate: async () => [{ address, port }],
      registration: (state) => states.push(state),
      called: (leg) => {
        const noted = new NotedLeg()
        noted.leg = leg
        calls.push(noted)
        onCall(leg, noted)
        return noted
      },
    },
  )
  return {
    line,
    calls,
    states,
    dial: (to, from) => {
      const noted = new NotedLeg()
      noted.leg = line.dial({ to, ...(from !== undefined && { from }) }, noted)
      return noted
    },
    nextCall: async () => {
      await expect.poll(() => calls.length, { message: 'no call comes in' }).toBeGreaterThan(taken)
      taken += 1
      return calls[taken - 1] as NotedLeg
    },
    untilRegistered: async () => {
      await expect
        .poll(() => states.at(-1)?.kind, { message: 'the line is not registered' })
        .toBe('registered')
    },
  }
}
