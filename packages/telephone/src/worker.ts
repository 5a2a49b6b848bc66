import { type MessagePort, parentPort } from 'node:worker_threads'
import type { LegListener } from './leg.js'
import { PacingClock } from './media/pacing-clock.js'
import type { NetworkAddress } from './network-address.js'
import type { SipLeg } from './sip-leg.js'
import { openSipLine, type SipLine } from './sip-line.js'
import { systemTimers } from './time.js'
import type { Answer, LegCommand, LegEvent, Order, Question, Report } from './worker-messages.js'

/** The worker thread: all lines of the process, so that a busy main thread does not disturb the audio. */
class TelephoneWorker {
  readonly #port: MessagePort
  readonly #clock = new PacingClock(systemTimers)
  readonly #lines = new Map<string, SipLine>()
  readonly #legs = new Map<string, SipLeg>()
  /** The lines that wait for the addresses of their servers. */
  readonly #locating = new Map<string, (addresses: readonly NetworkAddress[]) => void>()

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (order: Order) => void this.#obey(order))
  }

  async #obey(order: Order): Promise<void> {
    switch (order.kind) {
      case 'ask':
        return this.#answer(order.number, order.question)
      case 'located':
        return this.#locating.get(order.line)?.(order.addresses)
      case 'dial': {
        const leg = this.#lines.get(order.line)?.dial(order.options, this.#listenTo(order.leg), order.leg)
        if (leg) this.#legs.set(order.leg, leg)
        else this.#event(order.leg, { kind: 'ended', reason: { kind: 'closed' } })
        return
      }
      case 'command': {
        const leg = this.#legs.get(order.leg)
        if (leg) this.#command(leg, order.command)
      }
    }
  }

  async #answer(number: number, question: Question): Promise<void> {
    try {
      this.#report({ kind: 'answer', number, value: await this.#answerTo(question), failure: null })
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      this.#report({ kind: 'answer', number, value: null, failure })
    }
  }

  async #answerTo(question: Question): Promise<Answer> {
    switch (question.kind) {
      case 'open':
        await this.#open(question)
        return null
      case 'drain':
        await this.#lines.get(question.line)?.drain()
        return null
      case 'close':
        await this.#lines.get(question.line)?.close()
        this.#lines.delete(question.line)
        return null
      case 'command': {
        const leg = this.#legs.get(question.leg)
        const { command } = question
        if (command.kind === 'clear') return leg?.clear() ?? { passage: null, playedMilliseconds: 0 }
        return leg?.transfer(command.to) ?? { kind: 'refused', status: 481 }
      }
    }
  }

  async #open({ line, options }: Extract<Question, { kind: 'open' }>): Promise<void> {
    const opened = await openSipLine(options, {
      timers: systemTimers,
      clock: this.#clock,
      listener: {
        registration: (state) => this.#report({ kind: 'registration', line, state }),
        called: (leg) => {
          const { id, direction, from, to, codec } = leg
          this.#legs.set(id, leg as SipLeg)
          this.#report({ kind: 'called', line, leg: { id, direction, from, to, codec } })
          return this.#listenTo(id)
        },
        locate: () => this.#locate(line),
      },
    })
    this.#lines.set(line, opened)
  }

  /** Asks the service for the addresses of a line's server. */
  #locate(line: string): Promise<readonly NetworkAddress[]> {
    return new Promise((resolve) => {
      // If the line asks again, both wait for the same answer.
      const earlier = this.#locating.get(line)
      this.#locating.set(line, (addresses) => {
        this.#locating.delete(line)
        earlier?.(addresses)
        resolve(addresses)
      })
      this.#report({ kind: 'locate', line })
    })
  }

  #command(leg: SipLeg, command: LegCommand): void {
    switch (command.kind) {
      case 'accept':
        return leg.accept()
      case 'hang_up':
        return leg.hangUp()
      case 'ring':
        return leg.ring()
      case 'reject':
        return leg.reject(command.status)
      case 'play':
        return leg.play(command.audio, command.passage)
      case 'digits':
        return leg.digits(command.digits)
      case 'hold':
        return leg.hold(command.isHeld)
    }
  }

  #listenTo(id: string): LegListener {
    return {
      ringing: () => this.#event(id, { kind: 'ringing' }),
      answered: () => this.#event(id, { kind: 'answered', codec: this.#legs.get(id)?.codec ?? 'g711_ulaw' }),
      audio: (audio) => this.#event(id, { kind: 'audio', audio }, [audio.buffer as ArrayBuffer]),
      digit: (digit) => this.#event(id, { kind: 'digit', digit }),
      played: (passage, milliseconds) => this.#event(id, { kind: 'played', passage, milliseconds }),
      held: (isHeld) => this.#event(id, { kind: 'held', isHeld }),
      ended: (reason) => {
        this.#legs.delete(id)
        this.#event(id, { kind: 'ended', reason })
      },
    }
  }

  #event(leg: string, event: LegEvent, moved: ArrayBuffer[] = []): void {
    this.#report({ kind: 'event', leg, event }, moved)
  }

  #report(report: Report, moved: ArrayBuffer[] = []): void {
    this.#port.postMessage(report, moved)
  }
}

if (parentPort) new TelephoneWorker(parentPort)
