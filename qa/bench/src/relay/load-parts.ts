import { setTimeout as sleep } from 'node:timers/promises'
import { Part } from '@parley/stage/processes/part'
import type { LoadSide, SideCount, SideReport, Stream } from './load-side.js'
import type { Certificate } from './tls/make-certificate.js'

/** Commands for both sides of the load. */
export type LoadCommand =
  | ({ readonly command: 'stream' } & Stream)
  | { readonly command: 'mark' | 'report' | 'count' | 'pause' }

export interface OpenCommand {
  readonly command: 'open'
  readonly urls: readonly string[]
  readonly certificate?: string | undefined
}

export type ClientCommand = LoadCommand | OpenCommand
export type ProviderCommand =
  | LoadCommand
  | {
      readonly command: 'listen'
      readonly certificate?: Certificate | undefined
    }

export interface LoadPartsOptions {
  /** If set, both sides speak TLS. */
  readonly certificate?: Certificate | undefined
}

const drainMilliseconds = 5000
const drainPollMilliseconds = 10

/** The two sides of the load, each in its own process. */
export class LoadParts {
  readonly #clients = new Part<ClientCommand>(new URL('./client-process.js', import.meta.url))
  readonly #provider = new Part<ProviderCommand>(new URL('./provider-process.js', import.meta.url))
  readonly #certificate: Certificate | undefined

  constructor({ certificate }: LoadPartsOptions = {}) {
    this.#certificate = certificate
  }

  /** Starts the provider and returns its address. */
  async listen(): Promise<string> {
    const certificate = this.#certificate
    const port = await this.#provider.ask<number>({ command: 'listen', certificate })
    return `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}/v1`
  }

  /** Opens the clients' sessions. Resolves when the provider has greeted all of them. */
  open(urls: readonly string[]): Promise<void> {
    return this.#clients.ask({
      command: 'open',
      urls,
      certificate: this.#certificate?.cert,
    })
  }

  tell(command: LoadCommand): Promise<unknown> {
    return Promise.all([this.#clients.ask(command), this.#provider.ask(command)])
  }

  report(): Promise<SideReport[]> {
    const command = { command: 'report' } as const
    return Promise.all([this.#clients.ask<SideReport>(command), this.#provider.ask<SideReport>(command)])
  }

  /**
   * Waits until all sent messages have arrived, or no more arrive. Returns the number of messages received.
   */
  async drain(): Promise<number> {
    const command = { command: 'count' } as const
    const endsAt = performance.now() + drainMilliseconds
    for (;;) {
      const [clients, provider] = await Promise.all([
        this.#clients.ask<SideCount>(command),
        this.#provider.ask<SideCount>(command),
      ])
      const received = clients.received + provider.received
      if (received >= clients.sent + provider.sent || performance.now() > endsAt) return received
      await sleep(drainPollMilliseconds)
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#clients.stop(), this.#provider.stop()])
  }
}

/** Handles a command that both sides share. */
export function obey(side: LoadSide, command: LoadCommand): SideReport | SideCount | undefined {
  switch (command.command) {
    case 'stream':
      return side.stream(command)
    case 'mark':
      return side.mark()
    case 'report':
      return side.report()
    case 'count':
      return side.count()
    case 'pause':
      return side.pause()
  }
}
