import type { Cleared, Codec, Leg, LegListener, TransferOutcome } from './leg.js'
import type { Answer, AnsweredCommand, LegCommand, LegDescription, LegEvent } from './worker-messages.js'

/** Sends commands to the worker thread. */
export interface Commands {
  send(leg: string, command: LegCommand, moved?: ArrayBuffer[]): void
  ask<Value extends Answer>(leg: string, command: AnsweredCommand): Promise<Value>
}

/** A leg in the worker thread, as the service sees it. */
export class RemoteLeg implements Leg {
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly from: string
  readonly to: string
  readonly #commands: Commands
  #codec: Codec
  #listener: LegListener | null = null

  constructor({ id, direction, from, to, codec }: LegDescription, commands: Commands) {
    this.id = id
    this.direction = direction
    this.from = from
    this.to = to
    this.#codec = codec
    this.#commands = commands
  }

  get codec(): Codec {
    return this.#codec
  }

  listen(listener: LegListener): void {
    this.#listener = listener
  }

  receive(event: LegEvent): void {
    const listener = this.#listener
    if (listener === null) return
    switch (event.kind) {
      case 'ringing':
        return listener.ringing()
      case 'answered':
        this.#codec = event.codec
        return listener.answered()
      case 'audio':
        return listener.audio(event.audio)
      case 'digit':
        return listener.digit(event.digit)
      case 'played':
        return listener.played(event.passage, event.milliseconds)
      case 'held':
        return listener.held(event.isHeld)
      case 'ended':
        return listener.ended(event.reason)
    }
  }

  ring(): void {
    this.#send({ kind: 'ring' })
  }

  accept(): void {
    this.#send({ kind: 'accept' })
  }

  reject(status = 486): void {
    this.#send({ kind: 'reject', status })
  }

  /** Copies the audio. The copy's memory moves to the worker thread. */
  play(audio: Uint8Array, passage = ''): void {
    const copy = new Uint8Array(audio)
    this.#commands.send(this.id, { kind: 'play', audio: copy, passage }, [copy.buffer])
  }

  clear(): Promise<Cleared> {
    return this.#commands.ask(this.id, { kind: 'clear' })
  }

  digits(digits: string): void {
    this.#send({ kind: 'digits', digits })
  }

  transfer(to: string): Promise<TransferOutcome> {
    return this.#commands.ask(this.id, { kind: 'transfer', to })
  }

  hold(isHeld: boolean): void {
    this.#send({ kind: 'hold', isHeld })
  }

  hangUp(): void {
    this.#send({ kind: 'hang_up' })
  }

  #send(command: LegCommand): void {
    this.#commands.send(this.id, command)
  }
}
