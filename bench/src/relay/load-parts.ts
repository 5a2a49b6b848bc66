import { Part } from '../processes/part.js'
import type { LoadSide, SideReport } from './load-side.js'

/** What both sides of the load have to know. */
export type LoadCommand =
  | { readonly command: 'stream'; readonly framesPerSecond: number }
  | { readonly command: 'mark' | 'report' | 'pause' }

export type ClientCommand = LoadCommand | { readonly command: 'open'; readonly urls: readonly string[] }
export type ProviderCommand = LoadCommand | { readonly command: 'listen' }

/** The two sides of the load, each in its process. */
export class LoadParts {
  readonly #clients = new Part<ClientCommand>(new URL('./client-process.js', import.meta.url))
  readonly #provider = new Part<ProviderCommand>(new URL('./provider-process.js', import.meta.url))

  /** The provider listens from now on; returns its address. */
  async listen(): Promise<string> {
    return `http://127.0.0.1:${await this.#provider.ask<number>({ command: 'listen' })}/v1`
  }

  /** The clients open their sessions; settles when the provider has greeted every one of them. */
  open(urls: readonly string[]): Promise<void> {
    return this.#clients.ask({ command: 'open', urls })
  }

  tell(command: LoadCommand): Promise<unknown> {
    return Promise.all([this.#clients.ask(command), this.#provider.ask(command)])
  }

  report(): Promise<SideReport[]> {
    const command = { command: 'report' } as const
    return Promise.all([this.#clients.ask<SideReport>(command), this.#provider.ask<SideReport>(command)])
  }

  async stop(): Promise<void> {
    await Promise.all([this.#clients.stop(), this.#provider.stop()])
  }
}

/** Does what both sides do alike. */
export function obey(side: LoadSide, command: LoadCommand): SideReport | undefined {
  switch (command.command) {
    case 'stream':
      return side.stream(command.framesPerSecond)
    case 'mark':
      return side.mark()
    case 'report':
      return side.report()
    case 'pause':
      return side.pause()
  }
}
